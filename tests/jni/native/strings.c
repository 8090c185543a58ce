/* Strings in UTF-16 and modified UTF-8: surrogates, embedded NUL, regions, critical access. */
#include "common.h"

static void dump_utf(JNIEnv *env, const char *what, const char *bytes)
{
    char text[512];
    size_t n = 0;
    for (const unsigned char *p = (const unsigned char *) bytes; *p && n < sizeof text - 4; p++)
        n += (size_t) snprintf(text + n, sizeof text - n, "%02x ", *p);
    text[n] = 0;
    say(env, "%s %s", what, text);
}

JNIEXPORT void JNICALL Java_J04Strings_dump(JNIEnv *env, jclass self, jstring s)
{
    (void) self;
    jsize n = (*env)->GetStringLength(env, s);
    jsize utf = (*env)->GetStringUTFLength(env, s);
    say(env, "length %d utf %d", n, utf);
    jboolean copy = 9;
    const char *u = must((void *) (*env)->GetStringUTFChars(env, s, &copy), "utf chars");
    dump_utf(env, "utf", u);
    say(env, "copy flag %d terminated %d", copy <= 1, u[utf] == 0);
    (*env)->ReleaseStringUTFChars(env, s, u);
    const jchar *w = must((void *) (*env)->GetStringChars(env, s, &copy), "chars");
    unsigned h = 0;
    for (jsize i = 0; i < n; i++) h = h * 31 + w[i];
    // HotSpot's copies end with 0, and programs rely on it.
    say(env, "hash %u, then %d", h, w[n]);
    jstring again = must((*env)->NewString(env, w, n), "NewString");
    (*env)->ReleaseStringChars(env, s, w);
    jclass c = (*env)->GetObjectClass(env, s);
    jmethodID equals = must((*env)->GetMethodID(env, c, "equals", "(Ljava/lang/Object;)Z"), "equals");
    say(env, "round trip %d", (*env)->CallBooleanMethod(env, s, equals, again));
    w = must((void *) (*env)->GetStringCritical(env, s, NULL), "critical");
    h = 0;
    for (jsize i = 0; i < n; i++) h = h * 31 + w[i];
    (*env)->ReleaseStringCritical(env, s, w);
    say(env, "critical %u", h);
    jchar region[8] = {0};
    char uregion[64] = {0};
    jsize k = n < 3 ? n : 3;
    (*env)->GetStringRegion(env, s, n - k, k, region);
    say(env, "region %d %d %d", region[0], region[1], region[2]);
    (*env)->GetStringUTFRegion(env, s, n - k, k, uregion);
    dump_utf(env, "utf region", uregion);
    (*env)->GetStringRegion(env, s, n, 1, region);
    say_pending(env, "region beyond");
    (*env)->GetStringUTFRegion(env, s, -1, 1, uregion);
    say_pending(env, "utf region before");
    (*env)->GetStringRegion(env, s, n, 0, region);
    say_pending(env, "empty region at end");
}

JNIEXPORT jstring JNICALL Java_J04Strings_make(JNIEnv *env, jclass self, jint k)
{
    (void) self;
    static const char *const texts[] = {"ascii", "", "caf\xc3\xa9", "\xe2\x82\xac", "nul\xc0\x80inside", "\xed\xa0\xbd\xed\xb8\x80", "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf"};
    return (*env)->NewStringUTF(env, texts[k]);
}

JNIEXPORT jboolean JNICALL Java_J04Strings_nullString(JNIEnv *env, jclass self)
{
    (void) self;
    return (*env)->NewStringUTF(env, NULL) == NULL;
}
