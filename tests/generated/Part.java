import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

import java.util.Random;

/** A part of a body's generator: it draws from the body's random numbers and writes where the body does. */
abstract class Part implements Opcodes {
    final Body b;
    final Program p;
    final Random r;
    final MethodVisitor mv;

    Part(Body b, Program p, Random r, MethodVisitor mv) {
        this.b = b;
        this.p = p;
        this.r = r;
        this.mv = mv;
    }
}
