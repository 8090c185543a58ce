import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;

/**
 * Runs the mains of many programs in one VM. Invariant: every line on the process's standard output
 * that begins with a record mark comes from here, in one write, so the reader can tell a program's
 * output from the VM's own. Uses as little of the library as it can: it must run on a young VM.
 *
 * <p>Records: {@code #begin NAME}, {@code o|line}, {@code e|line}, {@code O|text} and {@code
 * E|text} (text without a newline), {@code #end NAME STATUS}, and {@code #done} at the end of the
 * batch.
 */
public final class Batch {
    private static final OutputStream RAW = new FileOutputStream(FileDescriptor.out);

    public static void main(String[] names) throws IOException {
        for (int i = 0; i < names.length; i++) {
            runOne(names[i]);
        }
        record("#done");
        // Programs may leave daemon pools or stuck threads behind; the batch ends with its last
        // program.
        Runtime.getRuntime().halt(0);
    }

    private static void runOne(String name) throws IOException {
        PrintStream savedOut = System.out;
        PrintStream savedErr = System.err;
        Framer out = new Framer('o');
        Framer err = new Framer('e');
        PrintStream programOut = new PrintStream(out, true);
        PrintStream programErr = new PrintStream(err, true);
        record("#begin ".concat(name));
        System.setOut(programOut);
        System.setErr(programErr);
        int status = 0;
        try {
            Class.forName(name)
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException e) {
            status = 1;
            programErr.print("Exception in thread \"main\" ");
            e.getCause().printStackTrace(programErr);
        } catch (Throwable t) {
            status = 2;
            programErr.print("Batch could not run ");
            programErr.println(name);
            t.printStackTrace(programErr);
        }
        programOut.flush();
        programErr.flush();
        System.setOut(savedOut);
        System.setErr(savedErr);
        out.finish();
        err.finish();
        record("#end ".concat(name).concat(" ").concat(Integer.toString(status)));
    }

    private static void record(String line) throws IOException {
        byte[] bytes = line.concat("\n").getBytes();
        synchronized (RAW) {
            RAW.write(bytes, 0, bytes.length);
        }
    }

    /** Collects one line and writes it with its mark in one call. */
    private static final class Framer extends OutputStream {
        private final byte mark;
        private byte[] line = new byte[256];
        private int length;

        Framer(char mark) {
            this.mark = (byte) mark;
            begin();
        }

        private void begin() {
            line[0] = mark;
            line[1] = '|';
            length = 2;
        }

        @Override
        public synchronized void write(int b) throws IOException {
            if (length == line.length) {
                byte[] longer = new byte[length * 2];
                System.arraycopy(line, 0, longer, 0, length);
                line = longer;
            }
            line[length++] = (byte) b;
            if (b == '\n') {
                emit();
            }
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int count) throws IOException {
            for (int i = 0; i < count; i++) {
                write(bytes[offset + i]);
            }
        }

        synchronized void finish() throws IOException {
            if (length > 2) {
                line[0] = (byte) (mark - 'a' + 'A');
                write('\n');
            }
        }

        private void emit() throws IOException {
            synchronized (RAW) {
                RAW.write(line, 0, length);
            }
            begin();
        }
    }
}
