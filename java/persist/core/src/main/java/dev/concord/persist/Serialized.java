package dev.concord.persist;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/**
 * An object of a class that the heap has no form for, in its serialised form: a value like any other, for adapters to
 * frameworks that hand over whatever their users have.
 *
 * @param bytes what Java's serialisation made of it
 */
public record Serialized(byte[] bytes) {
    public static Serialized of(Object o) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(o);
        } catch (IOException e) {
            throw new PersistException(o.getClass().getName() + " cannot be stored: " + e, e);
        }
        return new Serialized(bytes.toByteArray());
    }

    /** A new copy of the object. */
    public Object open(ClassLoader loader) {
        try (ObjectInputStream in = new LoadingStream(new ByteArrayInputStream(bytes), loader)) {
            return in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new PersistException("a stored object cannot be read: " + e, e);
        }
    }

    private static final class LoadingStream extends ObjectInputStream {
        private final ClassLoader loader;

        LoadingStream(InputStream in, ClassLoader loader) throws IOException {
            super(in);
            this.loader = loader;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass c) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(c.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                return super.resolveClass(c);
            }
        }
    }
}
