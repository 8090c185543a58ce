package dev.concord.persist.maven;

import dev.concord.persist.weaver.ClassDirectory;
import dev.concord.persist.weaver.WeaveException;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Weaves the module's compiled classes in place. */
@Mojo(name = "weave", defaultPhase = LifecyclePhase.COMPILE, requiresDependencyResolution = ResolutionScope.COMPILE_PLUS_RUNTIME, threadSafe = true)
public final class WeaveMojo extends AbstractMojo {
    /** Where the class files are. */
    @Parameter(defaultValue = "${project.build.outputDirectory}", required = true)
    private File classesDirectory;

    /** Class path on which superclasses and field types are looked up. */
    @Parameter(defaultValue = "${project.compileClasspathElements}", required = true, readonly = true)
    private List<String> classpath;

    /** Names of classes that persist without the annotation. */
    @Parameter
    private List<String> classes = new ArrayList<>();

    @Override
    public void execute() throws MojoExecutionException {
        if (!classesDirectory.isDirectory()) {
            return;
        }
        try {
            List<URL> urls = new ArrayList<>();
            for (String p : classpath) {
                urls.add(new File(p).toURI().toURL());
            }
            try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), null)) {
                List<String> changed = new ClassDirectory(classesDirectory.toPath(), classes, ClassDirectory.resources(loader)).weave();
                getLog().info("wove " + changed.size() + " classes");
            }
        } catch (IOException e) {
            throw new MojoExecutionException("weaving failed", e);
        } catch (WeaveException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
    }
}
