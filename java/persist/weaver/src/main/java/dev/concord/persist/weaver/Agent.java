package dev.concord.persist.weaver;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Weaves at load time: {@code -javaagent:persist-weaver.jar[=name,name]}, the names being classes to persist without the
 * annotation. A class that cannot be woven does not load: it would lose data silently otherwise.
 */
public final class Agent {
    private Agent() {
    }

    public static void premain(String arguments, Instrumentation instrumentation) {
        List<String> listed = arguments == null || arguments.isEmpty() ? List.of()
                : Arrays.stream(arguments.split(",")).map(n -> n.trim().replace('.', '/')).toList();
        instrumentation.addTransformer(new Transformer(listed));
    }

    private static final class Transformer implements ClassFileTransformer {
        private final List<String> listed;
        private final Map<ClassLoader, Weaver> weavers = Collections.synchronizedMap(new WeakHashMap<>());

        Transformer(List<String> listed) {
            this.listed = listed;
        }

        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
            if (loader == null || name == null || name.startsWith("java/") || name.startsWith("jdk/") || name.startsWith("sun/")
                    || name.startsWith("dev/concord/persist/weaver/") || redefined != null) {
                return null;
            }
            try {
                Weaver w = weavers.computeIfAbsent(loader, l -> new Weaver(new ClassIndex(ClassDirectory.resources(l), listed)));
                return w.weave(classFile);
            } catch (WeaveException e) {
                System.err.println("persist-weaver: " + e.getMessage());
                // An exception here would let the unwoven class load; a class file that cannot be parsed does not.
                return new byte[] {0};
            } catch (IllegalArgumentException e) {
                // What an exception from here says is lost. Whether the class should persist cannot be known.
                System.err.println("persist-weaver: " + name + " is not woven, its class file cannot be read: " + e.getMessage());
                return null;
            }
        }
    }
}
