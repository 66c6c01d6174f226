# To be sourced. `c_modules` has the flags with which a compiler finds the C modules as the package manager finds them.
c_modules=()
for map in Sources/C*/module.modulemap; do c_modules+=(-I "$(dirname "$map")"); done
c_packages=(vips libwebp libisal libde265 dav1d libavcodec libavformat libcrypto sqlite3 libmicrohttpd hiredis libcurl)
for flag in $(pkg-config --cflags "${c_packages[@]}"); do c_modules+=(-Xcc "$flag"); done
if [ "$(uname)" = Darwin ]; then c_modules+=(-sdk "$(xcrun --show-sdk-path)"); fi
