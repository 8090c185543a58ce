/* Arrays of all types: elements with each release mode, regions with bounds, critical access, object arrays. */
#include "common.h"

JNIEXPORT void JNICALL Java_J03Arrays_arrays(JNIEnv *env, jclass self)
{
    (void) self;
#define ARRAY(Name, type, letter, sig) { \
        type##Array a = must((*env)->New##Name##Array(env, 7), "array"); \
        type buffer[7]; \
        for (int i = 0; i < 7; i++) buffer[i] = (type) (i % 2 + (sizeof(type) > 1 ? i : 0)); \
        (*env)->Set##Name##ArrayRegion(env, a, 0, 7, buffer); \
        memset(buffer, 0, sizeof buffer); \
        (*env)->Get##Name##ArrayRegion(env, a, 2, 3, buffer); \
        say(env, #Name " length %d region %lld %lld %lld %lld", (*env)->GetArrayLength(env, a), (long long) buffer[0], (long long) buffer[1], (long long) buffer[2], (long long) buffer[3]); \
        jboolean copy = 9; \
        type *e = must((*env)->Get##Name##ArrayElements(env, a, &copy), "elements"); \
        e[0] = 1; e[6] = 1; \
        (*env)->Release##Name##ArrayElements(env, a, e, JNI_COMMIT); \
        (*env)->Get##Name##ArrayRegion(env, a, 0, 1, buffer); \
        say(env, #Name " committed %lld", (long long) buffer[0]); \
        e[1] = 0; \
        (*env)->Release##Name##ArrayElements(env, a, e, 0); \
        (*env)->Get##Name##ArrayRegion(env, a, 0, 7, buffer); \
        say(env, #Name " copied %d after %lld %lld %lld", copy <= 1, (long long) buffer[0], (long long) buffer[1], (long long) buffer[6]); \
        e = must((*env)->Get##Name##ArrayElements(env, a, NULL), "elements"); \
        e[2] = 1; \
        (*env)->Release##Name##ArrayElements(env, a, e, JNI_ABORT); \
        (*env)->Get##Name##ArrayRegion(env, a, 2, 1, buffer); \
        say(env, #Name " aborted %lld", (long long) buffer[0]); \
        (*env)->Get##Name##ArrayRegion(env, a, 5, 3, buffer); \
        say_pending(env, #Name " get beyond"); \
        (*env)->Set##Name##ArrayRegion(env, a, -1, 2, buffer); \
        say_pending(env, #Name " set before"); \
        (*env)->Get##Name##ArrayRegion(env, a, 3, -1, buffer); \
        say_pending(env, #Name " negative length"); \
        (*env)->Get##Name##ArrayRegion(env, a, 7, 0, buffer); \
        say_pending(env, #Name " empty at end"); \
        type *critical = must((*env)->GetPrimitiveArrayCritical(env, a, &copy), "critical"); \
        critical[3] = 1; \
        (*env)->ReleasePrimitiveArrayCritical(env, a, critical, 0); \
        (*env)->Get##Name##ArrayRegion(env, a, 3, 1, buffer); \
        say(env, #Name " critical %lld", (long long) buffer[0]); \
        type##Array empty = must((*env)->New##Name##Array(env, 0), "empty array"); \
        e = (*env)->Get##Name##ArrayElements(env, empty, NULL); \
        say(env, #Name " empty elements %d", e != NULL); \
        (*env)->Release##Name##ArrayElements(env, empty, e, 0); \
        say(env, #Name " negative %d", (*env)->New##Name##Array(env, -1) == NULL); \
        say_pending(env, #Name " negative"); \
    }
    PRIMITIVES(ARRAY)
    jclass string = must((*env)->FindClass(env, "java/lang/String"), "String");
    jobjectArray objects = must((*env)->NewObjectArray(env, 3, string, (*env)->NewStringUTF(env, "init")), "object array");
    say(env, "object array %d %d", (*env)->GetArrayLength(env, objects), (*env)->IsSameObject(env, (*env)->GetObjectArrayElement(env, objects, 0), (*env)->GetObjectArrayElement(env, objects, 2)));
    (*env)->SetObjectArrayElement(env, objects, 1, NULL);
    say(env, "null element %d", (*env)->GetObjectArrayElement(env, objects, 1) == NULL);
    (*env)->SetObjectArrayElement(env, objects, 1, objects);
    say_pending(env, "wrong element");
    (*env)->GetObjectArrayElement(env, objects, 3);
    say_pending(env, "index");
    (*env)->SetObjectArrayElement(env, objects, -1, NULL);
    say_pending(env, "negative index");
    say(env, "negative %d", (*env)->NewObjectArray(env, -3, string, NULL) == NULL);
    say_pending(env, "negative object array");
    jclass ints = must((*env)->FindClass(env, "[I"), "int array class");
    jobjectArray two = must((*env)->NewObjectArray(env, 2, ints, NULL), "array of arrays");
    (*env)->SetObjectArrayElement(env, two, 1, objects);
    say_pending(env, "wrong array");
    say(env, "is [[I %d", (*env)->IsInstanceOf(env, two, must((*env)->FindClass(env, "[[I"), "class")));
}

JNIEXPORT jlong JNICALL Java_J03Arrays_sumCritical(JNIEnv *env, jclass self, jlongArray a, jintArray b)
{
    (void) self;
    jlong sum = 0;
    jsize n = (*env)->GetArrayLength(env, a), m = (*env)->GetArrayLength(env, b);
    jlong *p = must((*env)->GetPrimitiveArrayCritical(env, a, NULL), "critical");
    jint *q = must((*env)->GetPrimitiveArrayCritical(env, b, NULL), "critical");
    for (jsize i = 0; i < n; i++) sum += p[i];
    for (jsize i = 0; i < m; i++) sum += q[i];
    (*env)->ReleasePrimitiveArrayCritical(env, b, q, JNI_ABORT);
    (*env)->ReleasePrimitiveArrayCritical(env, a, p, JNI_ABORT);
    return sum;
}
