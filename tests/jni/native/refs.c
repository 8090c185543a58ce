/* Local, global and weak references, frames, exceptions, monitors, classes, reflection, buffers, registration, threads. */
#include "common.h"
#include <pthread.h>

static jobject kept_global;
static jweak kept_weak;
static JavaVM *the_vm;

JNIEXPORT void JNICALL Java_J05References_locals(JNIEnv *env, jclass self, jobject o)
{
    (void) self;
    jobject l = (*env)->NewLocalRef(env, o), g = (*env)->NewGlobalRef(env, o);
    jweak w = (*env)->NewWeakGlobalRef(env, o);
    say(env, "types %d %d %d %d", (*env)->GetObjectRefType(env, l), (*env)->GetObjectRefType(env, g), (*env)->GetObjectRefType(env, w), (*env)->GetObjectRefType(env, NULL));
    say(env, "same %d %d %d %d", (*env)->IsSameObject(env, l, g), (*env)->IsSameObject(env, w, o), (*env)->IsSameObject(env, NULL, NULL), (*env)->IsSameObject(env, o, NULL));
    say(env, "null refs %d %d %d", (*env)->NewLocalRef(env, NULL) == NULL, (*env)->NewGlobalRef(env, NULL) == NULL, (*env)->NewWeakGlobalRef(env, NULL) == NULL);
    jobject strong = (*env)->NewLocalRef(env, w);
    say(env, "weak to local %d", (*env)->IsSameObject(env, strong, o));
    (*env)->DeleteLocalRef(env, l);
    (*env)->DeleteLocalRef(env, NULL);
    (*env)->DeleteGlobalRef(env, g);
    (*env)->DeleteWeakGlobalRef(env, w);
    say(env, "capacity %d %d", (*env)->EnsureLocalCapacity(env, 2000), (*env)->EnsureLocalCapacity(env, -1) != JNI_OK);
    (*env)->ExceptionClear(env);
    int frames = 0;
    for (int i = 0; i < 10; i++) frames += (*env)->PushLocalFrame(env, 5) == JNI_OK;
    jobject s = (*env)->NewStringUTF(env, "outlives its frames");
    for (int i = 0; i < 10; i++) s = (*env)->PopLocalFrame(env, s);
    const char *u = must((void *) (*env)->GetStringUTFChars(env, s, NULL), "chars");
    say(env, "frames %d %s", frames, u);
    (*env)->ReleaseStringUTFChars(env, s, u);
    (*env)->PushLocalFrame(env, 1);
    for (int i = 0; i < 3000; i++) must((*env)->NewIntArray(env, 10), "array beyond the frame's capacity");
    say(env, "pop %d", (*env)->PopLocalFrame(env, NULL) == NULL);
    // The last reference of an outer frame deleted within an inner one: the outer frame stays open.
    (*env)->PushLocalFrame(env, 5);
    jobject first = (*env)->NewStringUTF(env, "first"), second = (*env)->NewStringUTF(env, "second");
    (*env)->PushLocalFrame(env, 5);
    (*env)->DeleteLocalRef(env, second);
    (*env)->PopLocalFrame(env, NULL);
    for (int i = 0; i < 3; i++) must((*env)->NewStringUTF(env, "later"), "string");
    u = must((void *) (*env)->GetStringUTFChars(env, first, NULL), "chars");
    say(env, "outer frame %s", u);
    (*env)->ReleaseStringUTFChars(env, first, u);
    (*env)->PopLocalFrame(env, NULL);
    for (int i = 0; i < 100000; i++) { jobject x = must((*env)->NewLocalRef(env, o), "local"); (*env)->DeleteLocalRef(env, x); }
}

JNIEXPORT void JNICALL Java_J05References_keep(JNIEnv *env, jclass self, jobject global, jobject weak)
{
    (void) self;
    kept_global = (*env)->NewGlobalRef(env, global);
    kept_weak = (*env)->NewWeakGlobalRef(env, weak);
}

JNIEXPORT jobject JNICALL Java_J05References_global(JNIEnv *env, jclass self) { (void) env; (void) self; return kept_global; }
JNIEXPORT jobject JNICALL Java_J05References_weak(JNIEnv *env, jclass self) { (void) self; return (*env)->NewLocalRef(env, kept_weak); }
JNIEXPORT jboolean JNICALL Java_J05References_weakCleared(JNIEnv *env, jclass self) { (void) self; return (*env)->IsSameObject(env, kept_weak, NULL); }
JNIEXPORT void JNICALL Java_J05References_drop(JNIEnv *env, jclass self)
{ (void) self; (*env)->DeleteGlobalRef(env, kept_global); (*env)->DeleteWeakGlobalRef(env, kept_weak); }

JNIEXPORT jint JNICALL Java_J06Exceptions_natively(JNIEnv *env, jclass self, jint kind, jobject o)
{
    jclass ise = must((*env)->FindClass(env, "java/lang/IllegalStateException"), "class");
    switch (kind) {
        case 0: return (*env)->ThrowNew(env, ise, "ThrowNew");
        case 1: return (*env)->Throw(env, (jthrowable) o);
        case 2: (*env)->ThrowNew(env, ise, "described"); (*env)->ExceptionDescribe(env); return (*env)->ExceptionCheck(env);
        case 3: {
            jmethodID m = must((*env)->GetStaticMethodID(env, self, "thrower", "()I"), "thrower");
            jint r = (*env)->CallStaticIntMethod(env, self, m);
            jboolean pending = (*env)->ExceptionCheck(env);
            jthrowable t = (*env)->ExceptionOccurred(env);
            (*env)->ExceptionClear(env);
            say(env, "pending %d same %d after clear %d result %d", pending, (*env)->IsSameObject(env, t, o), (*env)->ExceptionCheck(env), r * 0);
            say(env, "none %d", (*env)->ExceptionOccurred(env) == NULL);
            return 5;
        }
        case 4: { /* What may be called with an exception pending. */
            jintArray a = must((*env)->NewIntArray(env, 3), "array");
            jint *e = must((*env)->GetIntArrayElements(env, a, NULL), "elements");
            jobject g = (*env)->NewGlobalRef(env, o);
            (*env)->PushLocalFrame(env, 4);
            (*env)->MonitorEnter(env, o);
            (*env)->ThrowNew(env, ise, "pending through clean-up");
            (*env)->ReleaseIntArrayElements(env, a, e, 0);
            (*env)->DeleteGlobalRef(env, g);
            (*env)->MonitorExit(env, o);
            (*env)->PopLocalFrame(env, NULL);
            (*env)->DeleteLocalRef(env, a);
            return 0;
        }
        case 5: (*env)->ThrowNew(env, ise, "first"); return (*env)->ThrowNew(env, must((*env)->ExceptionOccurred(env), "first") ? ise : NULL, "second");
        case 6: (*env)->FindClass(env, "no/such/Class"); return 0;
        case 7: return (*env)->ThrowNew(env, ise, NULL);
        default: return -1;
    }
}

JNIEXPORT void JNICALL Java_J12FatalError_die(JNIEnv *env, jclass self) { (void) self; (*env)->FatalError(env, "the test asked for it"); }

JNIEXPORT jint JNICALL Java_J07Monitors_enter(JNIEnv *env, jclass self, jobject o) { (void) self; return (*env)->MonitorEnter(env, o); }
JNIEXPORT jint JNICALL Java_J07Monitors_exit(JNIEnv *env, jclass self, jobject o) { (void) self; return (*env)->MonitorExit(env, o); }

JNIEXPORT void JNICALL Java_J08Classes_classes(JNIEnv *env, jclass self, jobject method, jobject constructor, jobject field, jbyteArray bytes, jobject loader)
{
    say(env, "version %x", (*env)->GetVersion(env));
    jclass object = must((*env)->FindClass(env, "java/lang/Object"), "Object"), integer = must((*env)->FindClass(env, "java/lang/Integer"), "Integer");
    jclass number = (*env)->GetSuperclass(env, integer), runnable = must((*env)->FindClass(env, "java/lang/Runnable"), "Runnable");
    say(env, "super %d %d %d", (*env)->GetSuperclass(env, object) == NULL, (*env)->IsSameObject(env, (*env)->GetSuperclass(env, number), object), (*env)->GetSuperclass(env, runnable) == NULL);
    say(env, "assignable %d %d %d", (*env)->IsAssignableFrom(env, integer, number), (*env)->IsAssignableFrom(env, number, integer), (*env)->IsAssignableFrom(env, runnable, object));
    say(env, "instance %d %d", (*env)->IsInstanceOf(env, method, object), (*env)->IsInstanceOf(env, NULL, integer));
    jmethodID m = (*env)->FromReflectedMethod(env, method);
    jmethodID init = (*env)->FromReflectedMethod(env, constructor);
    jfieldID f = (*env)->FromReflectedField(env, field);
    say(env, "reflected call %d", (*env)->CallStaticIntMethod(env, self, m, 20));
    jobject made = (*env)->NewObject(env, self, init);
    (*env)->SetIntField(env, made, f, 99);
    say(env, "reflected field %d", (*env)->GetIntField(env, made, f));
    jmethodID equals = must((*env)->GetMethodID(env, object, "equals", "(Ljava/lang/Object;)Z"), "equals");
    say(env, "back %d %d %d", (*env)->CallBooleanMethod(env, method, equals, (*env)->ToReflectedMethod(env, self, m, JNI_TRUE)),
        (*env)->CallBooleanMethod(env, constructor, equals, (*env)->ToReflectedMethod(env, self, init, JNI_FALSE)), (*env)->CallBooleanMethod(env, field, equals, (*env)->ToReflectedField(env, self, f, JNI_FALSE)));
    jclass module = must((*env)->FindClass(env, "java/lang/Module"), "Module");
    say(env, "module %d", (*env)->IsInstanceOf(env, (*env)->GetModule(env, integer), module));
    jsize n = (*env)->GetArrayLength(env, bytes);
    jbyte *b = must((*env)->GetByteArrayElements(env, bytes, NULL), "bytes");
    jclass defined = (*env)->DefineClass(env, "JniDefined", loader, b, n);
    say_pending(env, "define");
    say(env, "defined %d", defined != NULL);
    (*env)->DefineClass(env, "JniDefined", loader, b, n);
    say(env, "twice %d", (*env)->ExceptionCheck(env));
    (*env)->ExceptionClear(env);
    (*env)->DefineClass(env, "Garbage", loader, b + 4, n - 4);
    say_pending(env, "garbage");
    (*env)->ReleaseByteArrayElements(env, bytes, b, JNI_ABORT);
    (*env)->FindClass(env, "java.lang.String");
    say_pending(env, "dots");
    (*env)->FindClass(env, "I");
    say_pending(env, "primitive");
    say(env, "array %d", (*env)->FindClass(env, "[Ljava/lang/String;") != NULL);
    (*env)->AllocObject(env, runnable);
    say_pending(env, "alloc interface");
    (*env)->AllocObject(env, number);
    say_pending(env, "alloc abstract");
}

JNIEXPORT jobject JNICALL Java_J09Buffers_buffers(JNIEnv *env, jclass self, jobject direct, jobject heap)
{
    static char memory[64];
    (void) self;
    jint *p = (*env)->GetDirectBufferAddress(env, direct);
    say(env, "address %d capacity %lld", p != NULL, (long long) (*env)->GetDirectBufferCapacity(env, direct));
    p[1] = 0x01020304;
    say(env, "heap %d %lld", (*env)->GetDirectBufferAddress(env, heap) == NULL, (long long) (*env)->GetDirectBufferCapacity(env, heap));
    memory[3] = 42;
    jobject b = (*env)->NewDirectByteBuffer(env, memory, sizeof memory);
    say(env, "same memory %d", (*env)->GetDirectBufferAddress(env, b) == memory);
    return b;
}

static jint JNICALL registered_one(JNIEnv *env, jclass self, jint x) { (void) env; (void) self; return x + 1000; }
static jint JNICALL registered_two(JNIEnv *env, jclass self, jint x) { (void) env; (void) self; return x + 2000; }

JNIEXPORT void JNICALL Java_J10Register_register(JNIEnv *env, jclass self, jint which)
{
    JNINativeMethod methods[] = {{"one", "(I)I", (void *) registered_one}, {"two", "(I)I", (void *) registered_two}};
    JNINativeMethod swapped[] = {{"one", "(I)I", (void *) registered_two}};
    JNINativeMethod missing[] = {{"hashCode", "(I)I", (void *) registered_one}};
    JNINativeMethod notNative[] = {{"plain", "(I)I", (void *) registered_one}};
    switch (which) {
        case 0: say(env, "register %d", (*env)->RegisterNatives(env, self, methods, 2)); break;
        case 1: say(env, "register again %d", (*env)->RegisterNatives(env, self, swapped, 1)); break;
        case 2: (*env)->RegisterNatives(env, self, missing, 1); break;
        case 3: (*env)->RegisterNatives(env, self, notNative, 1); break;
        default: say(env, "unregister %d", (*env)->UnregisterNatives(env, self)); break;
    }
}

struct attach { int daemon; jclass self; jobject o; int failed; };

static void *attached(void *p)
{
    struct attach *a = p;
    JNIEnv *env = NULL;
    JavaVMAttachArgs args = {JNI_VERSION_10, a->daemon ? "native daemon" : "native thread", NULL};
    a->failed = (*the_vm)->GetEnv(the_vm, (void **) &env, JNI_VERSION_10) != JNI_EDETACHED;
    a->failed |= (a->daemon ? (*the_vm)->AttachCurrentThreadAsDaemon(the_vm, (void **) &env, &args) : (*the_vm)->AttachCurrentThread(the_vm, (void **) &env, &args)) != JNI_OK;
    JNIEnv *again = NULL;
    a->failed |= (*the_vm)->AttachCurrentThread(the_vm, (void **) &again, NULL) != JNI_OK || again != env;
    jmethodID m = must((*env)->GetStaticMethodID(env, a->self, "called", "(Ljava/lang/Object;)V"), "called");
    (*env)->CallStaticVoidMethod(env, a->self, m, a->o);
    say_pending(env, "in attached thread");
    (*env)->MonitorEnter(env, a->o);
    if (a->daemon)
        (*env)->ThrowNew(env, must((*env)->FindClass(env, "java/lang/IllegalStateException"), "class"), "pending at detach");
    a->failed |= (*the_vm)->DetachCurrentThread(the_vm) != JNI_OK;
    a->failed |= (*the_vm)->GetEnv(the_vm, (void **) &env, JNI_VERSION_10) != JNI_EDETACHED;
    return NULL;
}

JNIEXPORT void JNICALL Java_J11Attach_attach(JNIEnv *env, jclass self, jobject o, jboolean daemon)
{
    struct attach a = {daemon, (*env)->NewGlobalRef(env, self), (*env)->NewGlobalRef(env, o), 0};
    pthread_t t;
    say(env, "GetJavaVM %d", (*env)->GetJavaVM(env, &the_vm));
    JNIEnv *same = NULL;
    say(env, "GetEnv %d %d", (*the_vm)->GetEnv(the_vm, (void **) &same, JNI_VERSION_1_8), same == env);
    say(env, "bad version %d", (*the_vm)->GetEnv(the_vm, (void **) &same, 0x00990000));
    if (pthread_create(&t, NULL, attached, &a) == 0)
        pthread_join(t, NULL);
    say(env, "failed %d", a.failed);
    (*env)->DeleteGlobalRef(env, a.self);
    (*env)->DeleteGlobalRef(env, a.o);
}
