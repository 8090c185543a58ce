/* Calls an exported function of the VM by its name. All parameters of these functions are integers or
 * pointers, so one call with ten of them serves every signature of the System V convention. */
#define _GNU_SOURCE
#include "common.h"
#include <dlfcn.h>

typedef intptr_t (*export_fn)(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t);

static void *address(const char *name)
{
    void *vm = dlopen("libjvm.so", RTLD_NOLOAD | RTLD_NOW);
    return must(dlsym(must(vm, "libjvm.so"), name), name);
}

static export_fn find(const char *name)
{
    return (export_fn) address(name);
}

/* What `arguments` hold: 'E' the environment, 'L' the next of `objects`, 'I' the next of `numbers`, 'U' the
 * next of `objects` (a String) as a C string. */
static intptr_t call(JNIEnv *env, jstring name, jstring arguments, jobjectArray objects, jlongArray numbers)
{
    const char *n = (*env)->GetStringUTFChars(env, name, NULL);
    const char *kinds = (*env)->GetStringUTFChars(env, arguments, NULL);
    jlong values[10] = {0};
    if (numbers != NULL) (*env)->GetLongArrayRegion(env, numbers, 0, (*env)->GetArrayLength(env, numbers), values);
    intptr_t a[10] = {0};
    const char *texts[10] = {0};
    jstring owners[10] = {0};
    int object = 0, number = 0;
    for (int i = 0; kinds[i]; i++) {
        switch (kinds[i]) {
        case 'E': a[i] = (intptr_t) env; break;
        case 'I': a[i] = (intptr_t) values[number++]; break;
        case 'L': a[i] = (intptr_t) (*env)->GetObjectArrayElement(env, objects, object++); break;
        case 'U':
            owners[i] = (jstring) (*env)->GetObjectArrayElement(env, objects, object++);
            texts[i] = (*env)->GetStringUTFChars(env, owners[i], NULL);
            a[i] = (intptr_t) texts[i];
            break;
        default: must(NULL, "a kind of argument");
        }
    }
    intptr_t r = find(n)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
    for (int i = 0; i < 10; i++)
        if (texts[i] != NULL && !(*env)->ExceptionCheck(env)) (*env)->ReleaseStringUTFChars(env, owners[i], texts[i]);
    if (!(*env)->ExceptionCheck(env)) {
        (*env)->ReleaseStringUTFChars(env, name, n);
        (*env)->ReleaseStringUTFChars(env, arguments, kinds);
    }
    return r;
}

JNIEXPORT jlong JNICALL Java_J20Exports_number(JNIEnv *env, jclass self, jstring name, jstring arguments, jobjectArray objects, jlongArray numbers)
{
    (void) self;
    return call(env, name, arguments, objects, numbers);
}

JNIEXPORT jobject JNICALL Java_J20Exports_object(JNIEnv *env, jclass self, jstring name, jstring arguments, jobjectArray objects, jlongArray numbers)
{
    (void) self;
    return (jobject) call(env, name, arguments, objects, numbers);
}

JNIEXPORT jstring JNICALL Java_J20Exports_text(JNIEnv *env, jclass self, jstring name, jstring arguments, jobjectArray objects, jlongArray numbers)
{
    (void) self;
    const char *s = (const char *) call(env, name, arguments, objects, numbers);
    return s == NULL ? NULL : (*env)->NewStringUTF(env, s);
}

/* JVM_DefineClass takes its bytes as a C array. */
JNIEXPORT jclass JNICALL Java_J20Exports_define(JNIEnv *env, jclass self, jstring name, jobject loader, jbyteArray bytes)
{
    (void) self;
    typedef jclass (*define_fn)(JNIEnv *, const char *, jobject, const jbyte *, jsize, jobject);
    const char *n = (*env)->GetStringUTFChars(env, name, NULL);
    jbyte *b = (*env)->GetByteArrayElements(env, bytes, NULL);
    jclass c = ((define_fn) address("JVM_DefineClass"))(env, n, loader, b, (*env)->GetArrayLength(env, bytes), NULL);
    jthrowable pending = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    (*env)->ReleaseByteArrayElements(env, bytes, b, JNI_ABORT);
    (*env)->ReleaseStringUTFChars(env, name, n);
    if (pending != NULL) (*env)->Throw(env, pending);
    return c;
}

/* The printing functions, which take C arguments of any kind. */
JNIEXPORT void JNICALL Java_J20Exports_printing(JNIEnv *env, jclass self)
{
    (void) self;
    typedef int (*snprintf_fn)(char *, size_t, const char *, ...);
    typedef int (*fprintf_fn)(FILE *, const char *, ...);
    snprintf_fn print = (snprintf_fn) address("jio_snprintf");
    char buffer[16];
    int n = print(buffer, sizeof buffer, "%d-%s-%c", 42, "text", 'x');
    say(env, "jio_snprintf %d [%s]", n, buffer);
    memset(buffer, 'z', sizeof buffer);
    n = print(buffer, 5, "%s", "longer than five");
    say(env, "jio_snprintf cut %d [%s]", n, buffer);
    FILE *f = must(tmpfile(), "a temporary file");
    n = ((fprintf_fn) address("jio_fprintf"))(f, "%s %ld\n", "file", 7L);
    rewind(f);
    char line[32] = {0};
    must(fgets(line, sizeof line, f), "a line");
    fclose(f);
    say(env, "jio_fprintf %d %s", n, strtok(line, "\n"));
}

JNIEXPORT void JNICALL Java_J20Exports_rawMonitor(JNIEnv *env, jclass self)
{
    (void) self;
    void *m = must((void *) find("JVM_RawMonitorCreate")(0, 0, 0, 0, 0, 0, 0, 0, 0, 0), "a raw monitor");
    for (int i = 0; i < 3; i++) {
        jint r = (jint) find("JVM_RawMonitorEnter")((intptr_t) m, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        say(env, "raw enter %d", r);
        find("JVM_RawMonitorExit")((intptr_t) m, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
    find("JVM_RawMonitorDestroy")((intptr_t) m, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

JNIEXPORT jstring JNICALL Java_J20Exports_nativePath(JNIEnv *env, jclass self)
{
    (void) self;
    char path[] = "/a//b/./c/";
    return (*env)->NewStringUTF(env, (const char *) find("JVM_NativePath")((intptr_t) path, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

JNIEXPORT void JNICALL Java_J20Exports_machines(JNIEnv *env, jclass self)
{
    (void) self;
    typedef jint (*list_fn)(JavaVM **, jsize, jsize *);
    JavaVM *all[4] = {0}, *own = NULL;
    jsize n = -1;
    jint r = ((list_fn) address("JNI_GetCreatedJavaVMs"))(all, 4, &n);
    (*env)->GetJavaVM(env, &own);
    say(env, "JNI_GetCreatedJavaVMs %d %d %d", r, n, all[0] == own);
    r = ((list_fn) address("JNI_GetCreatedJavaVMs"))(all, 0, &n);
    say(env, "room for none %d %d", r, n);
    for (int v = 0; v < 4; v++) {
        static const jint versions[] = {JNI_VERSION_1_1, JNI_VERSION_1_2, JNI_VERSION_10, 0x00990000};
        JavaVMInitArgs args = {.version = versions[v]};
        r = (jint) find("JNI_GetDefaultJavaVMInitArgs")((intptr_t) &args, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        say(env, "JNI_GetDefaultJavaVMInitArgs %x %d", versions[v], r);
    }
    JavaVMInitArgs args = {.version = JNI_VERSION_10};
    JavaVM *second = NULL;
    JNIEnv *other = NULL;
    r = (jint) find("JNI_CreateJavaVM")((intptr_t) &second, (intptr_t) &other, (intptr_t) &args, 0, 0, 0, 0, 0, 0, 0);
    say(env, "a second VM %d", r);
}
