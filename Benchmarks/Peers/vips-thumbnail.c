/* The C peer: vips_thumbnail_buffer to a square, cropped at the centre, one thread, no operation cache, each file's bytes
 * in memory before its clock starts. Prints the milliseconds of each file that it renders, and their mean at the end.
 *
 *     vips-thumbnail SIDE FILE...
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <vips/vips.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
    if (argc < 3 || VIPS_INIT(argv[0])) return 2;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    int side = atoi(argv[1]);
    double sum = 0;
    int count = 0;
    for (int i = 2; i < argc; i++) {
        gchar *bytes;
        gsize length;
        if (!g_file_get_contents(argv[i], &bytes, &length, NULL)) continue;
        double start = now();
        VipsImage *image = NULL;
        void *pixels = NULL;
        size_t size;
        if (!vips_thumbnail_buffer(bytes, length, &image, side, "height", side, "crop", VIPS_INTERESTING_CENTRE, NULL))
            pixels = vips_image_write_to_memory(image, &size);
        double milliseconds = now() - start;
        if (pixels) {
            printf("%s\t%.3f\n", argv[i], milliseconds);
            sum += milliseconds;
            count++;
        }
        g_free(pixels);
        if (image) g_object_unref(image);
        g_free(bytes);
    }
    printf("mean\t%.3f\n", sum / count);
    vips_shutdown();
    return 0;
}
