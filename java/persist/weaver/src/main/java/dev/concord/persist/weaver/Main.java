package dev.concord.persist.weaver;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** {@code java -jar persist-weaver.jar [-cp PATH] [-classes NAME,NAME] DIRECTORY...}: weaves class files in place. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) throws IOException {
        List<String> listed = new ArrayList<>();
        List<String> directories = new ArrayList<>();
        String classPath = "";
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "-cp" -> classPath = args[++i];
                case "-classes" -> listed.addAll(Arrays.asList(args[++i].split(",")));
                default -> directories.add(args[i]);
            }
        }
        if (directories.isEmpty()) {
            System.err.println("usage: persist-weaver [-cp PATH] [-classes NAME,NAME] DIRECTORY...");
            System.exit(2);
        }
        try (URLClassLoader loader = new URLClassLoader(urls(classPath), Main.class.getClassLoader())) {
            for (String d : directories) {
                List<String> changed = new ClassDirectory(Path.of(d), listed, ClassDirectory.resources(loader)).weave();
                System.out.println("wove " + changed.size() + " classes in " + d + ": " + changed);
            }
        } catch (WeaveException e) {
            System.err.println("error: " + e.getMessage());
            System.exit(1);
        }
    }

    private static URL[] urls(String classPath) throws MalformedURLException {
        List<URL> l = new ArrayList<>();
        for (String p : classPath.split(File.pathSeparator)) {
            if (!p.isEmpty()) {
                l.add(Path.of(p).toUri().toURL());
            }
        }
        return l.toArray(new URL[0]);
    }
}
