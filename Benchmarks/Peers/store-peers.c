/* Values of about 12 KB in three well-kept stores: LMDB, rows of SQLite, and a file for each value.
 *
 *     store-peers lmdb|sqlite|files FOLDER COUNT mixed|12288
 *     store-peers damage FOLDER COUNT mixed|12288
 *
 * COUNT values are put in transactions of 256. Then half of them are replaced by as many others, as an eviction does, and
 * values are read at random. Nothing waits for the disk: no store is asked to make anything last. Values are from 9 to 15 KB
 * long, or all of one length.
 *
 * `damage` fills LMDB, and then flips one bit in one page of its trees at a time. A child reads values, so that it can be told
 * how the process would have ended. */
#include <fcntl.h>
#include <lmdb.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { longest = 15 * 1024, shortest = 9 * 1024, per_transaction = 256, read_count = 50000 };

static uint64_t mixed(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static void require(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

static size_t only_length;

static size_t value_length(uint64_t number) {
    return only_length ? only_length : shortest + mixed(~number) % (longest - shortest + 1);
}

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* A store: transactions of puts and removals, and reads outside of them. Keys are 8 bytes. */
struct store {
    void (*open)(const char *folder, uint64_t count);
    void (*begin)(void);
    void (*put)(uint64_t key, const void *bytes, size_t length);
    void (*drop)(uint64_t key);
    void (*commit)(void);
    size_t (*get)(uint64_t key, void *buffer);
    void (*close)(void);
};

/* LMDB */

static MDB_env *lmdb;
static MDB_txn *lmdb_transaction;
static MDB_dbi lmdb_table;

static void lmdb_open(const char *folder, uint64_t count) {
    require(!mdb_env_create(&lmdb), "mdb_env_create");
    mdb_env_set_mapsize(lmdb, (size_t)count * longest * 4);
    require(!mdb_env_open(lmdb, folder, MDB_NOSYNC, 0600), "mdb_env_open");
    require(!mdb_txn_begin(lmdb, NULL, 0, &lmdb_transaction), "mdb_txn_begin");
    require(!mdb_dbi_open(lmdb_transaction, NULL, MDB_INTEGERKEY, &lmdb_table), "mdb_dbi_open");
    require(!mdb_txn_commit(lmdb_transaction), "mdb_txn_commit");
}

static void lmdb_begin(void) { require(!mdb_txn_begin(lmdb, NULL, 0, &lmdb_transaction), "mdb_txn_begin"); }

static void lmdb_put(uint64_t key, const void *bytes, size_t length) {
    MDB_val k = {sizeof key, &key}, v = {length, (void *)bytes};
    require(!mdb_put(lmdb_transaction, lmdb_table, &k, &v, 0), "mdb_put");
}

static void lmdb_drop(uint64_t key) {
    MDB_val k = {sizeof key, &key};
    require(!mdb_del(lmdb_transaction, lmdb_table, &k, NULL), "mdb_del");
}

static void lmdb_commit(void) { require(!mdb_txn_commit(lmdb_transaction), "mdb_txn_commit"); }

static size_t lmdb_get(uint64_t key, void *buffer) {
    static MDB_txn *reading;
    MDB_val k = {sizeof key, &key}, v;
    if (reading) require(!mdb_txn_renew(reading), "mdb_txn_renew");
    else require(!mdb_txn_begin(lmdb, NULL, MDB_RDONLY, &reading), "mdb_txn_begin");
    require(!mdb_get(reading, lmdb_table, &k, &v), "mdb_get");
    memcpy(buffer, v.mv_data, v.mv_size);
    mdb_txn_reset(reading);
    return v.mv_size;
}

static void lmdb_close(void) { mdb_env_close(lmdb); }

/* Rows of SQLite */

static sqlite3 *database;
static sqlite3_stmt *inserting, *deleting, *finding;

static void sqlite_run(const char *statement) {
    require(sqlite3_exec(database, statement, NULL, NULL, NULL) == SQLITE_OK, statement);
}

static sqlite3_stmt *sqlite_prepare(const char *text) {
    sqlite3_stmt *statement = NULL;
    require(sqlite3_prepare_v2(database, text, -1, &statement, NULL) == SQLITE_OK, text);
    return statement;
}

static void sqlite_open(const char *folder, uint64_t count) {
    char path[4096];
    (void)count;
    snprintf(path, sizeof path, "%s/values.sqlite", folder);
    require(sqlite3_open(path, &database) == SQLITE_OK, "sqlite3_open");
    sqlite_run("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA page_size=4096;"
               "CREATE TABLE entries(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)");
    inserting = sqlite_prepare("INSERT INTO entries VALUES(?, ?)");
    deleting = sqlite_prepare("DELETE FROM entries WHERE id=?");
    finding = sqlite_prepare("SELECT bytes FROM entries WHERE id=?");
}

static void sqlite_begin(void) { sqlite_run("BEGIN IMMEDIATE"); }

static void sqlite_put(uint64_t key, const void *bytes, size_t length) {
    sqlite3_bind_int64(inserting, 1, (sqlite3_int64)key);
    sqlite3_bind_blob(inserting, 2, bytes, (int)length, SQLITE_STATIC);
    require(sqlite3_step(inserting) == SQLITE_DONE, "INSERT");
    sqlite3_reset(inserting);
}

static void sqlite_drop(uint64_t key) {
    sqlite3_bind_int64(deleting, 1, (sqlite3_int64)key);
    require(sqlite3_step(deleting) == SQLITE_DONE, "DELETE");
    sqlite3_reset(deleting);
}

static void sqlite_commit(void) { sqlite_run("COMMIT"); }

static size_t sqlite_get(uint64_t key, void *buffer) {
    sqlite3_bind_int64(finding, 1, (sqlite3_int64)key);
    require(sqlite3_step(finding) == SQLITE_ROW, "SELECT");
    size_t length = (size_t)sqlite3_column_bytes(finding, 0);
    memcpy(buffer, sqlite3_column_blob(finding, 0), length);
    sqlite3_reset(finding);
    return length;
}

static void sqlite_close(void) {
    sqlite3_finalize(inserting);
    sqlite3_finalize(deleting);
    sqlite3_finalize(finding);
    sqlite3_close(database);
}

/* A file for each value, in 256 folders */

static char files_folder[2048];

static void file_path(uint64_t key, char path[4096]) {
    snprintf(path, 4096, "%s/%02x/%016llx", files_folder, (unsigned)(key & 255), (unsigned long long)key);
}

static void files_open(const char *folder, uint64_t count) {
    char path[4096];
    (void)count;
    snprintf(files_folder, sizeof files_folder, "%s", folder);
    for (unsigned part = 0; part < 256; part++) {
        snprintf(path, sizeof path, "%s/%02x", folder, part);
        require(mkdir(path, 0700) == 0, "mkdir");
    }
}

static void files_nothing(void) {}

/* As every program that writes such files does: under another name first, so that nobody reads half a value. */
static void files_put(uint64_t key, const void *bytes, size_t length) {
    char path[4096], temporary[4100];
    file_path(key, path);
    snprintf(temporary, sizeof temporary, "%s.new", path);
    int descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(descriptor >= 0 && write(descriptor, bytes, length) == (ssize_t)length, "write");
    close(descriptor);
    require(rename(temporary, path) == 0, "rename");
}

static void files_drop(uint64_t key) {
    char path[4096];
    file_path(key, path);
    require(unlink(path) == 0, "unlink");
}

static size_t files_get(uint64_t key, void *buffer) {
    char path[4096];
    file_path(key, path);
    int descriptor = open(path, O_RDONLY);
    ssize_t length = descriptor < 0 ? -1 : pread(descriptor, buffer, longest, 0);
    require(length >= 0, "pread");
    close(descriptor);
    return (size_t)length;
}

/* The measurement */

static const struct store stores[] = {
    {lmdb_open, lmdb_begin, lmdb_put, lmdb_drop, lmdb_commit, lmdb_get, lmdb_close},
    {sqlite_open, sqlite_begin, sqlite_put, sqlite_drop, sqlite_commit, sqlite_get, sqlite_close},
    {files_open, files_nothing, files_put, files_drop, files_nothing, files_get, files_nothing},
};

static int by_size(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* The bytes that the disk gives a folder, as du counts them. */
static double disk_bytes(const char *folder) {
    char command[4200], answer[64] = "";
    snprintf(command, sizeof command, "du -sB1 '%s'", folder);
    FILE *output = popen(command, "r");
    require(output && fgets(answer, sizeof answer, output), "du");
    pclose(output);
    return atof(answer);
}

static unsigned char bytes[longest], buffer[longest];

static void prepare_bytes(void) {
    for (int index = 0; index < longest; index++) bytes[index] = (unsigned char)mixed((uint64_t)index);
}

/* Puts `count` values and replaces half of them. Returns the bytes of those that are left. */
static double fill(const struct store *store, uint64_t count) {
    double live = 0;
    uint64_t number = 0;
    for (; number < count + count / 2; number++) {
        if (number % per_transaction == 0) store->begin();
        if (number >= count) {
            store->drop(mixed(number - count));
            live -= (double)value_length(number - count);
        }
        memcpy(bytes, &number, sizeof number);
        store->put(mixed(number), bytes, value_length(number));
        live += (double)value_length(number);
        if (number % per_transaction == per_transaction - 1) store->commit();
    }
    if (number % per_transaction) store->commit();
    return live;
}

static void measure(const char *name, const struct store *store, const char *folder, uint64_t count) {
    store->open(folder, count);
    const double wall = seconds(CLOCK_MONOTONIC), processor = processor_seconds();
    const double live = fill(store, count), all = (double)(count + count / 2);
    const double put_wall = seconds(CLOCK_MONOTONIC) - wall, put_processor = processor_seconds() - processor;

    static double times[read_count];
    for (int number = 0; number < read_count; number++) {
        const uint64_t wanted = count / 2 + mixed((uint64_t)number) % count;
        const double start = seconds(CLOCK_MONOTONIC);
        const size_t length = store->get(mixed(wanted), buffer);
        times[number] = (seconds(CLOCK_MONOTONIC) - start) * 1e6;
        require(length == value_length(wanted) && !memcmp(buffer, &wanted, sizeof wanted), "the right value");
    }
    qsort(times, read_count, sizeof times[0], by_size);
    store->close();
    printf("%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\n", name, put_wall / all * 1e6, put_processor / all * 1e6,
        times[read_count / 2], times[read_count / 100 * 99], disk_bytes(folder) / live);
}

/* Damage */

enum { page_bytes = 4096, flip_count = 400 };

/* Whether a page is a node of one of LMDB's trees or one of its two heads: it states its own number, and its kind. */
static int is_tree_page(const unsigned char *page, uint64_t number) {
    uint64_t stated;
    uint16_t flags;
    memcpy(&stated, page, sizeof stated);
    memcpy(&flags, page + 10, sizeof flags);
    return stated == number && (flags == 1 || flags == 2 || flags == 8);
}

/* Opens the damaged store and reads values: exits with 0 if all are right or missing, 1 for an error, 2 for a wrong value. */
static void read_damaged(const char *folder, uint64_t count) {
    MDB_env *environment;
    MDB_txn *reading;
    MDB_dbi table;
    alarm(10);
    if (mdb_env_create(&environment)) _exit(1);
    mdb_env_set_mapsize(environment, (size_t)count * longest * 4);
    if (mdb_env_open(environment, folder, MDB_RDONLY | MDB_NOLOCK, 0600)) _exit(1);
    if (mdb_txn_begin(environment, NULL, MDB_RDONLY, &reading)) _exit(1);
    if (mdb_dbi_open(reading, NULL, MDB_INTEGERKEY, &table)) _exit(1);
    for (uint64_t wanted = count / 2; wanted < count + count / 2; wanted++) {
        uint64_t key = mixed(wanted);
        MDB_val k = {sizeof key, &key}, v;
        const int code = mdb_get(reading, table, &k, &v);
        if (code == MDB_NOTFOUND) continue;
        if (code) _exit(1);
        if (v.mv_size > longest) _exit(2);
        memcpy(buffer, v.mv_data, v.mv_size);
        if (v.mv_size != value_length(wanted) || memcmp(buffer, &wanted, sizeof wanted)) _exit(2);
    }
    _exit(0);
}

static void damage(const char *folder, uint64_t count) {
    lmdb_open(folder, count);
    fill(&stores[0], count);
    lmdb_close();
    char path[4096];
    snprintf(path, sizeof path, "%s/data.mdb", folder);
    int descriptor = open(path, O_RDWR);
    struct stat status;
    require(descriptor >= 0 && fstat(descriptor, &status) == 0, "data.mdb");
    const uint64_t pages = (uint64_t)status.st_size / page_bytes;
    int unharmed = 0, refused = 0, wrong = 0, killed = 0;
    uint64_t random = 1;
    for (int flip = 0; flip < flip_count;) {
        unsigned char page[page_bytes];
        const uint64_t number = mixed(random++) % pages;
        require(pread(descriptor, page, page_bytes, (off_t)(number * page_bytes)) == page_bytes, "pread");
        if (!is_tree_page(page, number)) continue;
        const uint64_t place = mixed(random++) % page_bytes;
        const unsigned char flipped = page[place] ^ (unsigned char)(1u << mixed(random++) % 8);
        require(pwrite(descriptor, &flipped, 1, (off_t)(number * page_bytes + place)) == 1, "pwrite");
        const pid_t child = fork();
        if (child == 0) read_damaged(folder, count);
        int end;
        require(child > 0 && waitpid(child, &end, 0) == child, "fork");
        if (WIFSIGNALED(end)) killed++;
        else if (WEXITSTATUS(end) == 0) unharmed++;
        else if (WEXITSTATUS(end) == 1) refused++;
        else wrong++;
        require(pwrite(descriptor, &page[place], 1, (off_t)(number * page_bytes + place)) == 1, "pwrite");
        flip++;
    }
    printf("LMDB, one bit flipped in a page of its trees, %d times: %d without effect on any value, %d errors, %d wrong values, "
           "%d processes ended by a signal\n", flip_count, unharmed, refused, wrong, killed);
}

int main(int argument_count, char **arguments) {
    static const char usage[] = "store-peers lmdb|sqlite|files|damage FOLDER COUNT mixed|12288: this usage";
    require(argument_count == 5, usage);
    const char *folder = arguments[2];
    const uint64_t count = strtoull(arguments[3], NULL, 10);
    only_length = (size_t)strtoull(arguments[4], NULL, 10);
    require(count >= per_transaction && only_length <= longest, usage);
    prepare_bytes();
    static const char *names[] = {"lmdb", "sqlite", "files"};
    for (int number = 0; number < 3; number++)
        if (!strcmp(arguments[1], names[number])) {
            measure(names[number], &stores[number], folder, count);
            return 0;
        }
    require(!strcmp(arguments[1], "damage"), usage);
    damage(folder, count);
    return 0;
}
