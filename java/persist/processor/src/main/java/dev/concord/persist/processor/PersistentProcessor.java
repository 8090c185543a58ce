package dev.concord.persist.processor;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.tools.Diagnostic;

/** Says at compile time, at the member concerned, what of an annotated class cannot persist and why. */
@SupportedAnnotationTypes("dev.concord.persist.Persistent")
public final class PersistentProcessor extends AbstractProcessor {
    private static final String ANNOTATION = "dev.concord.persist.Persistent";
    private static final String INLINE = "dev.concord.persist.Inline";
    private static final String POBJECT = "dev.concord.persist.PObject";
    private static final Set<String> VALUES = Set.of("java.lang.String", "java.lang.Boolean", "java.lang.Byte", "java.lang.Short",
            "java.lang.Character", "java.lang.Integer", "java.lang.Long", "java.lang.Float", "java.lang.Double", "java.math.BigDecimal",
            "java.math.BigInteger", "java.util.UUID", "java.time.LocalDate", "java.time.LocalTime", "java.time.LocalDateTime",
            "java.time.Instant", "java.time.Duration", "java.time.ZonedDateTime", "java.time.OffsetDateTime", "java.time.Period");

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        for (TypeElement a : annotations) {
            for (Element e : round.getElementsAnnotatedWith(a)) {
                check((TypeElement) e);
            }
        }
        return false;
    }

    private void error(Element where, String what) {
        processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, what, where);
    }

    private void check(TypeElement c) {
        if (c.getKind() != ElementKind.CLASS) {
            error(c, "only classes persist as objects; enums and records are values and need no @Persistent");
            return;
        }
        if (c.getNestingKind() == NestingKind.LOCAL || c.getNestingKind() == NestingKind.ANONYMOUS
                || c.getNestingKind() == NestingKind.MEMBER && !c.getModifiers().contains(Modifier.STATIC)) {
            error(c, "an inner or local class holds its surroundings, which do not persist; make it static");
        }
        TypeMirror superclass = c.getSuperclass();
        if (superclass.getKind() == TypeKind.DECLARED && !isPersistent((DeclaredType) superclass)
                && !superclass.toString().equals("java.lang.Object")) {
            error(c, "superclass " + superclass + " is not persistent: its fields would be lost; annotate it with @Persistent");
        }
        String fa = annotationValue(c, "fa");
        if (!fa.isEmpty() && !fa.equals("public") && !fa.equals("non-private")) {
            error(c, "fa must be \"\", \"public\" or \"non-private\", not \"" + fa + "\"");
        }
        for (VariableElement f : ElementFilter.fieldsIn(c.getEnclosedElements())) {
            if (!f.getModifiers().contains(Modifier.STATIC) && !f.getModifiers().contains(Modifier.TRANSIENT)) {
                String why = whyNot(f.asType());
                if (why != null) {
                    error(f, "field " + f.getSimpleName() + " cannot persist: " + why + "; use a persistent type or make the field transient");
                }
                if (why == null && !isValue(f.asType()) && f.getAnnotationMirrors().stream().anyMatch(m -> m.getAnnotationType().toString().equals(INLINE))) {
                    error(f, "field " + f.getSimpleName() + " is @Inline, which only an immutable value can be");
                }
                if (f.getModifiers().contains(Modifier.VOLATILE)) {
                    error(f, "field " + f.getSimpleName() + " is volatile, which a persistent field cannot be; synchronise around the block instead");
                }
            }
        }
        for (ExecutableElement m : ElementFilter.methodsIn(c.getEnclosedElements())) {
            if (m.getModifiers().contains(Modifier.NATIVE)) {
                processingEnv.getMessager().printMessage(Diagnostic.Kind.WARNING, "a native method sees no persistent fields", m);
            }
        }
    }

    private String annotationValue(Element e, String key) {
        for (AnnotationMirror m : e.getAnnotationMirrors()) {
            if (m.getAnnotationType().toString().equals(ANNOTATION)) {
                for (var v : m.getElementValues().entrySet()) {
                    if (v.getKey().getSimpleName().contentEquals(key)) {
                        return v.getValue().getValue().toString();
                    }
                }
            }
        }
        return "";
    }

    private boolean isPersistent(DeclaredType t) {
        Element e = t.asElement();
        if (e.getAnnotationMirrors().stream().anyMatch(m -> m.getAnnotationType().toString().equals(ANNOTATION))) {
            return true;
        }
        TypeElement p = processingEnv.getElementUtils().getTypeElement(POBJECT);
        return p != null && processingEnv.getTypeUtils().isAssignable(processingEnv.getTypeUtils().erasure(t), p.asType());
    }

    /** Whether a type that persists is one of immutable values, whatever is stored. */
    private static boolean isValue(TypeMirror t) {
        if (t.getKind() == TypeKind.ARRAY) {
            return true;
        }
        Element e = t.getKind() == TypeKind.DECLARED ? ((DeclaredType) t).asElement() : null;
        return e != null && (VALUES.contains(((TypeElement) e).getQualifiedName().toString()) || e.getKind() == ElementKind.ENUM || e.getKind() == ElementKind.RECORD);
    }

    /** The reason why a type cannot persist, or null if it can. */
    private String whyNot(TypeMirror t) {
        return whyNot(t, new HashSet<>());
    }

    /** @param records those that are being looked into: one may contain itself */
    private String whyNot(TypeMirror t, Set<String> records) {
        if (t.getKind().isPrimitive() || t.getKind() == TypeKind.TYPEVAR) {
            return null;
        }
        if (t.getKind() == TypeKind.ARRAY) {
            TypeMirror element = ((ArrayType) t).getComponentType();
            if (element.getKind() == TypeKind.DECLARED && isPersistent((DeclaredType) element)) {
                return "an array of persistent objects is not one itself; use PArray or PArrayList";
            }
            return whyNot(element, records);
        }
        if (t.getKind() != TypeKind.DECLARED) {
            return t + " is no type that can be stored";
        }
        DeclaredType d = (DeclaredType) t;
        TypeElement e = (TypeElement) d.asElement();
        String name = e.getQualifiedName().toString();
        if (VALUES.contains(name) || e.getKind() == ElementKind.ENUM || e.getKind() == ElementKind.INTERFACE || name.equals("java.lang.Object")
                || name.equals("java.lang.Number") || isPersistent(d)) {
            return null;
        }
        if (e.getKind() == ElementKind.RECORD) {
            if (!records.add(name)) {
                return null;
            }
            for (var component : ElementFilter.recordComponentsIn(List.copyOf(e.getEnclosedElements()))) {
                TypeMirror ct = component.asType();
                String why = ct.getKind() == TypeKind.DECLARED && isPersistent((DeclaredType) ct) ? "a value cannot refer to an object" : whyNot(ct, records);
                if (why != null) {
                    return "component " + component.getSimpleName() + " of record " + name + ": " + why;
                }
            }
            return null;
        }
        return name + " is neither @Persistent nor a known immutable value";
    }
}
