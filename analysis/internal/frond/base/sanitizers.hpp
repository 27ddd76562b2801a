// SPDX-License-Identifier: BSD-3-Clause
// FROND_ADDRESS_SANITIZER or FROND_THREAD_SANITIZER is 1 when this is compiled with it.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define FROND_ADDRESS_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define FROND_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FROND_ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define FROND_THREAD_SANITIZER 1
#endif
#endif

#ifndef FROND_ADDRESS_SANITIZER
#define FROND_ADDRESS_SANITIZER 0
#endif
#ifndef FROND_THREAD_SANITIZER
#define FROND_THREAD_SANITIZER 0
#endif
