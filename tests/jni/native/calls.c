/* Calls of all return types in the variadic, va_list and jvalue forms, with more arguments than registers hold. */
#include "common.h"

/* The parameters of every target method; see JniTarget.java. */
#define PARAMS "(IJFDLjava/lang/Object;ZBCSFDFDFDFDJIDFJ)"
#define ARGS(o) (jint) -1, (jlong) 0x1122334455667788LL, (jdouble) 1.5f, (jdouble) -2.25, (o), JNI_TRUE, (jbyte) -128, (jchar) 0xffff, \
    (jshort) -32768, (jdouble) 3.5f, 4.5, (jdouble) 5.5f, 6.5, (jdouble) 7.5f, 8.5, (jdouble) 9.5f, 10.5, (jlong) -1, (jint) 0x7fffffff, \
    11.5, (jdouble) 12.5f, (jlong) INT64_MIN

static void fill(jvalue *v, jobject o)
{
    v[0].i = -1; v[1].j = 0x1122334455667788LL; v[2].f = 1.5f; v[3].d = -2.25; v[4].l = o; v[5].z = JNI_TRUE; v[6].b = -128;
    v[7].c = 0xffff; v[8].s = -32768; v[9].f = 3.5f; v[10].d = 4.5; v[11].f = 5.5f; v[12].d = 6.5; v[13].f = 7.5f; v[14].d = 8.5;
    v[15].f = 9.5f; v[16].d = 10.5; v[17].j = -1; v[18].i = 0x7fffffff; v[19].d = 11.5; v[20].f = 12.5f; v[21].j = INT64_MIN;
}

#define V_FORMS(Name, type, letter, sig) \
    static type virtual_v_##Name(JNIEnv *env, jobject o, jmethodID m, ...) \
    { va_list a; va_start(a, m); type r = (*env)->Call##Name##MethodV(env, o, m, a); va_end(a); return r; } \
    static type nonvirtual_v_##Name(JNIEnv *env, jobject o, jclass c, jmethodID m, ...) \
    { va_list a; va_start(a, m); type r = (*env)->CallNonvirtual##Name##MethodV(env, o, c, m, a); va_end(a); return r; } \
    static type static_v_##Name(JNIEnv *env, jclass c, jmethodID m, ...) \
    { va_list a; va_start(a, m); type r = (*env)->CallStatic##Name##MethodV(env, c, m, a); va_end(a); return r; }
PRIMITIVES(V_FORMS)
V_FORMS(Object, jobject, L, "")

static void virtual_v_void(JNIEnv *env, jobject o, jmethodID m, ...)
{ va_list a; va_start(a, m); (*env)->CallVoidMethodV(env, o, m, a); va_end(a); }
static void nonvirtual_v_void(JNIEnv *env, jobject o, jclass c, jmethodID m, ...)
{ va_list a; va_start(a, m); (*env)->CallNonvirtualVoidMethodV(env, o, c, m, a); va_end(a); }
static void static_v_void(JNIEnv *env, jclass c, jmethodID m, ...)
{ va_list a; va_start(a, m); (*env)->CallStaticVoidMethodV(env, c, m, a); va_end(a); }
static jobject new_v(JNIEnv *env, jclass c, jmethodID m, ...)
{ va_list a; va_start(a, m); jobject o = (*env)->NewObjectV(env, c, m, a); va_end(a); return o; }

/* Floating results are printed as integers so that both sides print the same digits. */
#define SHOW(form, Name, r) say(env, "%s %s %lld", form, #Name, (long long) ((r) * 4))

JNIEXPORT void JNICALL Java_JniTarget_calls(JNIEnv *env, jclass self, jobject target, jclass base, jobject arg)
{
    jvalue v[22];
    fill(v, arg);
    jclass dynamic = (*env)->GetObjectClass(env, target);
#define ALL_FORMS(Name, type, letter, sig) { \
        jmethodID m = must((*env)->GetMethodID(env, base, "m" #Name, PARAMS sig), "m" #Name); \
        jmethodID s = must((*env)->GetStaticMethodID(env, self, "s" #Name, PARAMS sig), "s" #Name); \
        SHOW("variadic", Name, (*env)->Call##Name##Method(env, target, m, ARGS(arg))); \
        SHOW("va_list", Name, virtual_v_##Name(env, target, m, ARGS(arg))); \
        SHOW("jvalue", Name, (*env)->Call##Name##MethodA(env, target, m, v)); \
        SHOW("nonvirtual variadic", Name, (*env)->CallNonvirtual##Name##Method(env, target, base, m, ARGS(arg))); \
        SHOW("nonvirtual va_list", Name, nonvirtual_v_##Name(env, target, base, m, ARGS(arg))); \
        SHOW("nonvirtual jvalue", Name, (*env)->CallNonvirtual##Name##MethodA(env, target, base, m, v)); \
        SHOW("static variadic", Name, (*env)->CallStatic##Name##Method(env, self, s, ARGS(arg))); \
        SHOW("static va_list", Name, static_v_##Name(env, self, s, ARGS(arg))); \
        SHOW("static jvalue", Name, (*env)->CallStatic##Name##MethodA(env, self, s, v)); \
    }
    PRIMITIVES(ALL_FORMS)
    jmethodID mo = must((*env)->GetMethodID(env, base, "mObject", PARAMS "Ljava/lang/Object;"), "mObject");
    jmethodID so = must((*env)->GetStaticMethodID(env, self, "sObject", PARAMS "Ljava/lang/Object;"), "sObject");
    jobject results[] = {
        (*env)->CallObjectMethod(env, target, mo, ARGS(arg)), virtual_v_Object(env, target, mo, ARGS(arg)),
        (*env)->CallObjectMethodA(env, target, mo, v), (*env)->CallNonvirtualObjectMethod(env, target, base, mo, ARGS(arg)),
        nonvirtual_v_Object(env, target, base, mo, ARGS(arg)), (*env)->CallNonvirtualObjectMethodA(env, target, base, mo, v),
        (*env)->CallStaticObjectMethod(env, self, so, ARGS(arg)), static_v_Object(env, self, so, ARGS(arg)),
        (*env)->CallStaticObjectMethodA(env, self, so, v),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        say(env, "object result %zu same %d", i, (*env)->IsSameObject(env, results[i], arg));
    jmethodID mv = must((*env)->GetMethodID(env, base, "mVoid", PARAMS "V"), "mVoid");
    jmethodID sv = must((*env)->GetStaticMethodID(env, self, "sVoid", PARAMS "V"), "sVoid");
    (*env)->CallVoidMethod(env, target, mv, ARGS(arg));
    virtual_v_void(env, target, mv, ARGS(arg));
    (*env)->CallVoidMethodA(env, target, mv, v);
    (*env)->CallNonvirtualVoidMethod(env, target, base, mv, ARGS(arg));
    nonvirtual_v_void(env, target, base, mv, ARGS(arg));
    (*env)->CallNonvirtualVoidMethodA(env, target, base, mv, v);
    (*env)->CallStaticVoidMethod(env, self, sv, ARGS(arg));
    static_v_void(env, self, sv, ARGS(arg));
    (*env)->CallStaticVoidMethodA(env, self, sv, v);
    jmethodID init = must((*env)->GetMethodID(env, dynamic, "<init>", PARAMS "V"), "constructor");
    say(env, "NewObject %d", (*env)->NewObject(env, dynamic, init, ARGS(arg)) != NULL);
    say(env, "NewObjectV %d", new_v(env, dynamic, init, ARGS(arg)) != NULL);
    say(env, "NewObjectA %d", (*env)->NewObjectA(env, dynamic, init, v) != NULL);
    jobject raw = (*env)->AllocObject(env, dynamic);
    say(env, "AllocObject %d", (*env)->IsInstanceOf(env, raw, base));
}

/* All argument kinds from Java to C, beyond the registers, and each return type back. */
JNIEXPORT jdouble JNICALL Java_JniTarget_receive(JNIEnv *env, jclass self, jint a, jlong b, jfloat c, jdouble d, jobject e, jboolean f, jbyte g,
    jchar h, jshort i, jfloat j, jdouble k, jfloat l, jdouble m, jfloat n, jdouble o, jfloat p, jdouble q, jlong r, jint s, jdouble t, jfloat u, jlong w)
{
    (void) self;
    say(env, "%d %lld %g %g %d %d %d %d %d %g %g %g %g %g %g %g %g %lld %d %g %g %lld", a, (long long) b, c, d, e != NULL, f, g, h, i, j, k, l, m,
        n, o, p, q, (long long) r, s, t, u, (long long) w);
    return 0.5 + s;
}

#define BACK(Name, type, letter, sig) \
    JNIEXPORT type JNICALL Java_JniTarget_back##Name(JNIEnv *env, jclass self, jlong bits) { (void) env; (void) self; return (type) bits; }
PRIMITIVES(BACK)

/* A subword result with garbage above it: the VM must cut it. */
JNIEXPORT jint JNICALL Java_JniTarget_dirty__I(JNIEnv *env, jobject self, jint x) { (void) env; (void) self; return x + 1; }
JNIEXPORT jint JNICALL Java_JniTarget_dirty__Ljava_lang_String_2_3I(JNIEnv *env, jobject self, jstring s, jintArray a)
{ (void) self; return (*env)->GetStringLength(env, s) * 100 + (*env)->GetArrayLength(env, a); }
JNIEXPORT jint JNICALL Java_JniTarget_with_1underscore(JNIEnv *env, jclass self) { (void) env; (void) self; return 77; }
JNIEXPORT jint JNICALL Java_JniTarget_caf_000e9(JNIEnv *env, jclass self) { (void) env; (void) self; return 78; }
JNIEXPORT jint JNICALL Java_JniTarget_00024inner_nested(JNIEnv *env, jclass self) { (void) env; (void) self; return 79; }

/* Native synchronized: the lock is held inside, and released when an exception leaves. */
JNIEXPORT jboolean JNICALL Java_JniTarget_lockedInside(JNIEnv *env, jobject self, jboolean fail)
{
    jclass thread = must((*env)->FindClass(env, "java/lang/Thread"), "Thread");
    jmethodID holds = must((*env)->GetStaticMethodID(env, thread, "holdsLock", "(Ljava/lang/Object;)Z"), "holdsLock");
    jboolean held = (*env)->CallStaticBooleanMethod(env, thread, holds, self);
    if (fail)
        (*env)->ThrowNew(env, must((*env)->FindClass(env, "java/lang/IllegalStateException"), "exception"), held ? "held" : "not held");
    return held;
}

JNIEXPORT jint JNICALL Java_JniTarget_recurse(JNIEnv *env, jclass self, jint n)
{
    jmethodID m = must((*env)->GetStaticMethodID(env, self, "bounce", "(I)I"), "bounce");
    return (*env)->CallStaticIntMethod(env, self, m, n - 1) + 1;
}
