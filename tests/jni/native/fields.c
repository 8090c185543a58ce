/* Fields of all types, instance and static, and what IDs say about things that are not there. */
#include "common.h"

JNIEXPORT void JNICALL Java_J02Fields_fields(JNIEnv *env, jclass self, jobject o)
{
    jclass c = (*env)->GetObjectClass(env, o);
#define FIELD(Name, type, letter, sig) { \
        jfieldID f = must((*env)->GetFieldID(env, c, "i" #Name, sig), "field"); \
        jfieldID s = must((*env)->GetStaticFieldID(env, self, "s" #Name, sig), "static field"); \
        say(env, #Name " %lld %lld", (long long) (*env)->Get##Name##Field(env, o, f), (long long) (*env)->GetStatic##Name##Field(env, self, s)); \
        (*env)->Set##Name##Field(env, o, f, (type) 0x8081828384858687LL); \
        (*env)->SetStatic##Name##Field(env, self, s, (type) 65); \
        say(env, #Name " %lld %lld", (long long) (*env)->Get##Name##Field(env, o, f), (long long) (*env)->GetStatic##Name##Field(env, self, s)); \
    }
    PRIMITIVES(FIELD)
    jfieldID f = must((*env)->GetFieldID(env, c, "iObject", "Ljava/lang/Object;"), "field");
    jfieldID s = must((*env)->GetStaticFieldID(env, self, "sObject", "Ljava/lang/String;"), "static field");
    jobject old = (*env)->GetObjectField(env, o, f);
    say(env, "object %d %d", old != NULL, (*env)->GetStaticObjectField(env, self, s) == NULL);
    (*env)->SetObjectField(env, o, f, o);
    (*env)->SetStaticObjectField(env, self, s, (*env)->NewStringUTF(env, "from C"));
    say(env, "object %d", (*env)->IsSameObject(env, (*env)->GetObjectField(env, o, f), o));
    (*env)->SetObjectField(env, o, f, NULL);
    say(env, "null %d", (*env)->GetObjectField(env, o, f) == NULL);
    /* Inherited, hidden, final, private of another class. */
    jfieldID inherited = must((*env)->GetFieldID(env, c, "inherited", "I"), "inherited");
    say(env, "inherited %d", (*env)->GetIntField(env, o, inherited));
    jfieldID hidden_base = must((*env)->GetFieldID(env, (*env)->GetSuperclass(env, c), "hidden", "I"), "hidden");
    jfieldID hidden_sub = must((*env)->GetFieldID(env, c, "hidden", "I"), "hidden");
    say(env, "hidden %d %d", (*env)->GetIntField(env, o, hidden_base), (*env)->GetIntField(env, o, hidden_sub));
    jfieldID fin = must((*env)->GetFieldID(env, c, "fin", "I"), "fin");
    (*env)->SetIntField(env, o, fin, 1234);
    jfieldID from_interface = must((*env)->GetStaticFieldID(env, c, "FROM_INTERFACE", "I"), "interface constant");
    say(env, "interface %d", (*env)->GetStaticIntField(env, c, from_interface));
    (*env)->GetFieldID(env, c, "nope", "I");
    say_pending(env, "missing field");
    (*env)->GetFieldID(env, c, "iInt", "J");
    say_pending(env, "wrong type");
    (*env)->GetFieldID(env, c, "sInt", "I");
    say_pending(env, "static as instance");
    (*env)->GetStaticFieldID(env, self, "iInt", "I");
    say_pending(env, "instance as static");
    (*env)->GetMethodID(env, c, "nope", "()V");
    say_pending(env, "missing method");
    (*env)->GetStaticMethodID(env, c, "hashCode", "()I");
    say_pending(env, "instance method as static");
    (*env)->GetMethodID(env, c, "toString", "()V");
    say_pending(env, "wrong signature");
    say(env, "clinit %d", (*env)->GetStaticMethodID(env, c, "<clinit>", "()V") == NULL);
    (*env)->ExceptionClear(env);
    jclass bad = (*env)->FindClass(env, "JniBadInit");
    say(env, "found %d", bad != NULL);
    if (bad != NULL)
        (*env)->GetStaticFieldID(env, bad, "x", "I");
    say_pending(env, "failing initialiser");
}
