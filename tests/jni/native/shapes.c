/* Natives of many shapes, called from loops that get compiled; each gives a number that depends on every argument. */
#include "common.h"

static jlong weigh(jlong sum, jlong v) { return sum * 31 + v; }
static jlong text(JNIEnv *env, jstring s) { return s == NULL ? -1 : (*env)->GetStringLength(env, s); }

#define INTS jint a, jint b, jint c, jint d, jint e, jint f, jint g, jint h
static jlong ints(INTS)
{
    jint all[] = {a, b, c, d, e, f, g, h};
    jlong sum = 0;
    for (int i = 0; i < 8; i++) sum = weigh(sum, all[i]);
    return sum;
}
JNIEXPORT jlong JNICALL Java_J14NativeShapes_staticInts(JNIEnv *env, jclass self, INTS)
{
    return ints(a, b, c, d, e, f, g, h) + (*env)->IsInstanceOf(env, self, (*env)->GetObjectClass(env, self));
}
JNIEXPORT jlong JNICALL Java_J14NativeShapes_ints(JNIEnv *env, jobject self, INTS)
{
    return ints(a, b, c, d, e, f, g, h) + (self != NULL && env != NULL);
}

#define FIVE jlong a, jint b, jshort c, jbyte d, jchar e
static jlong five(FIVE) { return weigh(weigh(weigh(weigh(a, b), c), d), e); }
JNIEXPORT jlong JNICALL Java_J14NativeShapes_staticFive(JNIEnv *env, jclass self, FIVE)
{
    return five(a, b, c, d, e) + (env != NULL && self != NULL);
}
JNIEXPORT jlong JNICALL Java_J14NativeShapes_five(JNIEnv *env, jobject self, FIVE)
{
    return five(a, b, c, d, e) + (env != NULL && self != NULL);
}

#define FLOATS jfloat a, jdouble b, jfloat c, jdouble d, jfloat e, jdouble f, jfloat g, jdouble h, jfloat i, jdouble j, jfloat k
static jdouble floats(FLOATS)
{
    return a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h + 23 * i + 29 * j + 31 * k;
}
JNIEXPORT jdouble JNICALL Java_J14NativeShapes_staticFloats(JNIEnv *env, jclass self, FLOATS)
{
    return floats(a, b, c, d, e, f, g, h, i, j, k) + (env == NULL) + (self == NULL);
}
JNIEXPORT jfloat JNICALL Java_J14NativeShapes_floats(JNIEnv *env, jobject self, FLOATS)
{
    return (jfloat) floats(a, b, c, d, e, f, g, h, i, j, k) + (env == NULL) + (self == NULL);
}

#define MIXED jstring a, jint b, jdouble c, jboolean d, jfloat e, jlong f, jbyte g, jstring h, jdouble i, jdouble j, jfloat k, \
    jdouble l, jdouble m, jfloat n, jchar o, jstring p, jdouble q, jshort r, jlong s, jstring t
static jlong mixed(JNIEnv *env, MIXED)
{
    jdouble fs[] = {c, e, i, j, k, l, m, n, q};
    jlong is[] = {text(env, a), b, d, f, g, text(env, h), o, text(env, p), r, s, text(env, t)};
    jlong sum = 0;
    for (int x = 0; x < 9; x++) sum = weigh(sum, (jlong) (8 * fs[x]));
    for (int x = 0; x < 11; x++) sum = weigh(sum, is[x]);
    return sum;
}
JNIEXPORT jlong JNICALL Java_J14NativeShapes_staticMixed(JNIEnv *env, jclass self, MIXED)
{
    return mixed(env, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t) + (self == NULL);
}
JNIEXPORT jlong JNICALL Java_J14NativeShapes_mixed(JNIEnv *env, jobject self, MIXED)
{
    return mixed(env, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t) + (self == NULL);
}

/* Declared narrower in Java: the upper bits of the result are dirty. */
#define DIRTY(Name) JNIEXPORT jlong JNICALL Java_J14NativeShapes_dirty##Name(JNIEnv *env, jclass self, jlong v) \
    { return v + (env == NULL) + (self == NULL); }
DIRTY(Boolean)
DIRTY(Byte)
DIRTY(Char)
DIRTY(Short)
DIRTY(Int)
DIRTY(Long)

JNIEXPORT jobject JNICALL Java_J14NativeShapes_reference(JNIEnv *env, jobject self, jint which, jobject a, jobject b)
{
    static jobject global;
    static jweak weak;
    switch (which) {
        case 0: return NULL;
        case 1: return self;
        case 2: return a;
        case 3: return b;
        case 4: return (*env)->NewLocalRef(env, a);
        case 5: (*env)->DeleteLocalRef(env, a); return (*env)->NewLocalRef(env, b);
        case 6:
            if (global == NULL) global = (*env)->NewGlobalRef(env, a);
            return global;
        case 7:
            if (weak == NULL) weak = (*env)->NewWeakGlobalRef(env, b);
            return weak;
        case 8: {
            (*env)->PushLocalFrame(env, 4);
            jobject c = (*env)->NewStringUTF(env, "new");
            return (*env)->PopLocalFrame(env, c);
        }
        default: return (*env)->GetObjectClass(env, self);
    }
}
JNIEXPORT jint JNICALL Java_J14NativeShapes_kinds(JNIEnv *env, jclass self, jobject a, jobject none, jobject b)
{
    return (*env)->GetObjectRefType(env, self) + 10 * (*env)->GetObjectRefType(env, a)
        + 100 * (*env)->IsSameObject(env, none, NULL) + 1000 * (*env)->IsSameObject(env, a, b);
}

static void throw(JNIEnv *env, jint n)
{
    char message[32];
    snprintf(message, sizeof message, "number %d", n);
    (*env)->ThrowNew(env, must((*env)->FindClass(env, "java/lang/IllegalStateException"), "exception"), message);
}
JNIEXPORT jint JNICALL Java_J14NativeShapes_throwInt(JNIEnv *env, jclass self, jint n)
{
    (void) self;
    if (n % 5 == 0) throw(env, n);
    return n;
}
JNIEXPORT jobject JNICALL Java_J14NativeShapes_throwReference(JNIEnv *env, jobject self, jint n, jobject a)
{
    if (n % 7 == 0) throw(env, n);
    return n % 2 ? a : self;
}
JNIEXPORT jdouble JNICALL Java_J14NativeShapes_throwDouble(JNIEnv *env, jclass self, jdouble d)
{
    (void) self;
    if ((jint) d % 9 == 0) throw(env, (jint) d);
    return d / 2;
}

JNIEXPORT jobject JNICALL Java_J15HotNatives_back(JNIEnv *env, jclass self, jobject a, jint n, jobject b)
{
    static jmethodID method;
    if (method == NULL) method = (*env)->GetStaticMethodID(env, self, "up", "(Ljava/lang/Object;I)Ljava/lang/Object;");
    jobject got = (*env)->CallStaticObjectMethod(env, self, method, a, n);
    if ((*env)->ExceptionCheck(env)) return b;
    return (*env)->IsSameObject(env, got, a) ? a : NULL;
}
JNIEXPORT jint JNICALL Java_J15HotNatives_deeper(JNIEnv *env, jobject self, jint depth)
{
    static jmethodID method;
    if (method == NULL) method = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, self), "deep", "(I)I");
    return (*env)->CallIntMethod(env, self, method, depth + 1);
}
JNIEXPORT jlong JNICALL Java_J15HotNatives_touch(JNIEnv *env, jobject self, jobject a, jlong n)
{
    return n + (*env)->GetArrayLength(env, a) + (self == NULL);
}
JNIEXPORT jdouble JNICALL Java_J15HotNatives_half(JNIEnv *env, jclass self, jdouble d)
{
    return d / 2 + (env == NULL) + (self == NULL);
}

static jint JNICALL first(JNIEnv *env, jclass self) { return env != NULL && self != NULL; }
static jint JNICALL second(JNIEnv *env, jclass self) { return 2 * (env != NULL && self != NULL); }
JNIEXPORT void JNICALL Java_J15HotNatives_bind(JNIEnv *env, jclass self, jclass to, jint which)
{
    JNINativeMethod method = {(char *) "version", (char *) "()I", which == 1 ? (void *) first : (void *) second};
    (void) self;
    if (which == 0)
        (*env)->UnregisterNatives(env, to);
    else
        (*env)->RegisterNatives(env, to, &method, 1);
}

/* Functions with a critical twin, which compiled code calls under -XX:+CriticalJNINatives. */
#define CRITICAL_ARGS(X) X(Byte, jbyte) X(Short, jshort) X(Int, jint) X(Long, jlong) X(Float, jfloat) X(Double, jdouble)
static int critical_calls;
#define SUM(Name, type) \
    JNIEXPORT jdouble JNICALL JavaCritical_J16Critical_sum##Name(jint n, type *a, jint by, jdouble d) \
    { \
        jdouble sum = d; \
        critical_calls++; \
        for (jint i = 0; i < n; i++) { sum += a[i]; a[i] += (type) by; } \
        return sum + (a == NULL ? 0.25 : 0); \
    } \
    JNIEXPORT jdouble JNICALL Java_J16Critical_sum##Name(JNIEnv *env, jclass self, type##Array array, jint by, jdouble d) \
    { \
        (void) self; \
        if (array == NULL) return d + 0.25; \
        jint n = (*env)->GetArrayLength(env, array); \
        type *a = (*env)->Get##Name##ArrayElements(env, array, NULL); \
        jdouble sum = d; \
        for (jint i = 0; i < n; i++) { sum += a[i]; a[i] += (type) by; } \
        (*env)->Release##Name##ArrayElements(env, array, a, 0); \
        return sum; \
    }
CRITICAL_ARGS(SUM)

#define MANY jfloat f, jshort s, jdouble g, jlong l
static jlong many(jint n, jint *a, jint nb, jbyte *b, jint nc, jlong *c, MANY)
{
    jlong sum = (jlong) f + s + (jlong) g + l;
    for (jint i = 0; i < n; i++) sum = weigh(sum, a[i]);
    for (jint i = 0; i < nb; i++) sum = weigh(sum, b[i]);
    for (jint i = 0; i < nc; i++) sum = weigh(sum, c[i]);
    return sum;
}
JNIEXPORT jlong JNICALL JavaCritical_J16Critical_many___3IF_3BSD_3JJ(jint n, jint *a, jfloat f, jint nb, jbyte *b, jshort s,
    jdouble g, jint nc, jlong *c, jlong l)
{
    critical_calls++;
    return many(n, a, nb, b, nc, c, f, s, g, l);
}
JNIEXPORT jlong JNICALL Java_J16Critical_many___3IF_3BSD_3JJ(JNIEnv *env, jclass self, jintArray a, jfloat f, jbyteArray b, jshort s,
    jdouble g, jlongArray c, jlong l)
{
    (void) self;
    jint *x = (*env)->GetIntArrayElements(env, a, NULL);
    jbyte *y = (*env)->GetByteArrayElements(env, b, NULL);
    jlong *z = (*env)->GetLongArrayElements(env, c, NULL);
    jlong sum = many((*env)->GetArrayLength(env, a), x, (*env)->GetArrayLength(env, b), y, (*env)->GetArrayLength(env, c), z, f, s, g, l);
    (*env)->ReleaseIntArrayElements(env, a, x, JNI_ABORT);
    (*env)->ReleaseByteArrayElements(env, b, y, JNI_ABORT);
    (*env)->ReleaseLongArrayElements(env, c, z, JNI_ABORT);
    return sum;
}
JNIEXPORT jbyte JNICALL JavaCritical_J16Critical_narrow(jlong v) { critical_calls++; return (jbyte) v; }
JNIEXPORT jbyte JNICALL Java_J16Critical_narrow(JNIEnv *env, jclass self, jlong v) { (void) env, (void) self; return (jbyte) v; }
JNIEXPORT jint JNICALL Java_J16Critical_calls(JNIEnv *env, jclass self) { (void) env, (void) self; return critical_calls; }

/* Synchronized natives: a sum that loses numbers unless one thread at a time is here, and what leaves by a reference or
 * an exception. */
static jlong plain_sum[2];
static jlong add_slowly(volatile jlong *sum, jint by)
{
    jlong was = *sum;
    for (volatile int i = 0; i < 20; i++)
        ;
    return *sum = was + by;
}
JNIEXPORT jlong JNICALL Java_J17SynchronizedNatives_add(JNIEnv *env, jobject self, jint by)
{
    (void) env;
    (void) self;
    return add_slowly(&plain_sum[0], by);
}
JNIEXPORT jlong JNICALL Java_J17SynchronizedNatives_addStatic(JNIEnv *env, jclass self, jint by)
{
    (void) env;
    (void) self;
    return add_slowly(&plain_sum[1], by);
}
JNIEXPORT jobject JNICALL Java_J17SynchronizedNatives_pick(JNIEnv *env, jobject self, jobject a, jdouble d, jlong j,
                                                           jobject b, jint n, jfloat f, jobject c)
{
    jmethodID up = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, self), "up", "(I)V");
    (*env)->CallVoidMethod(env, self, up, n);
    return (*env)->ExceptionCheck(env) ? NULL : d > j ? a : f > n ? b : c;
}
JNIEXPORT jboolean JNICALL Java_J17SynchronizedNatives_odd(JNIEnv *env, jobject self, jbyte b)
{
    (void) env;
    (void) self;
    return (jboolean) (b & 1 ? 0x40 : 0);
}
JNIEXPORT jfloat JNICALL Java_J17SynchronizedNatives_third(JNIEnv *env, jclass self, jdouble d)
{
    (void) env;
    (void) self;
    return (jfloat) (d / 3);
}
