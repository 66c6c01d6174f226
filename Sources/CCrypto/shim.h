#pragma once
#include <openssl/sha.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
