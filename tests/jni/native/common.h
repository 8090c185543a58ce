/* What every part of the JNI test library shares: printing through Java, so that order with Java's output is kept. */
#ifndef JNITEST_COMMON_H
#define JNITEST_COMMON_H

#include <jni.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints one line through System.out; must be called without a pending exception. */
void say(JNIEnv *env, const char *format, ...);
/* Prints the pending exception's class and message and clears it, or says that there is none. */
void say_pending(JNIEnv *env, const char *what);
/* Stops the process with a message: the test itself is broken. */
void *must(void *pointer, const char *what);

#define PRIMITIVES(X) \
    X(Boolean, jboolean, Z, "Z") \
    X(Byte, jbyte, B, "B") \
    X(Char, jchar, C, "C") \
    X(Short, jshort, S, "S") \
    X(Int, jint, I, "I") \
    X(Long, jlong, J, "J") \
    X(Float, jfloat, F, "F") \
    X(Double, jdouble, D, "D")

#endif
