#include "common.h"

static jclass out_class;
static jmethodID out_method;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env = NULL;
    (void) reserved;
    if ((*vm)->GetEnv(vm, (void **) &env, JNI_VERSION_10) != JNI_OK)
        return JNI_ERR;
    jclass local = must((*env)->FindClass(env, "JniOut"), "class JniOut");
    out_class = must((*env)->NewGlobalRef(env, local), "global reference");
    out_method = must((*env)->GetStaticMethodID(env, local, "line", "(Ljava/lang/String;)V"), "JniOut.line");
    (*env)->DeleteLocalRef(env, local);
    return JNI_VERSION_10;
}

void *must(void *pointer, const char *what)
{
    if (pointer == NULL) {
        fprintf(stderr, "JNI test library: no %s\n", what);
        exit(99);
    }
    return pointer;
}

void say(JNIEnv *env, const char *format, ...)
{
    char buffer[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    jstring text = must((*env)->NewStringUTF(env, buffer), "string");
    (*env)->CallStaticVoidMethod(env, out_class, out_method, text);
    (*env)->DeleteLocalRef(env, text);
}

void say_pending(JNIEnv *env, const char *what)
{
    jthrowable t = (*env)->ExceptionOccurred(env);
    if (t == NULL) {
        say(env, "%s: no exception", what);
        return;
    }
    (*env)->ExceptionClear(env);
    jclass c = (*env)->GetObjectClass(env, t);
    jmethodID to_string = must((*env)->GetMethodID(env, c, "toString", "()Ljava/lang/String;"), "toString");
    jstring s = (jstring) (*env)->CallObjectMethod(env, t, to_string);
    const char *chars = must((void *) (*env)->GetStringUTFChars(env, s, NULL), "chars");
    say(env, "%s: %s", what, chars);
    (*env)->ReleaseStringUTFChars(env, s, chars);
    (*env)->DeleteLocalRef(env, s);
    (*env)->DeleteLocalRef(env, c);
    (*env)->DeleteLocalRef(env, t);
}
