// vm: own -Djava.security.manager=allow
// skip-mode: local
// covers: JVM_GetStackAccessControlContext JVM_GetInheritedAccessControlContext JVM_GetClassContext
import java.security.*;

public class R09Security {
    static class SM extends SecurityManager {
        Class<?>[] ctx() {
            return getClassContext();
        }

        public void checkPermission(Permission p) {
            if (p.getName().equals("secret")) throw new SecurityException("denied " + p.getName());
        }
    }

    public static void main(String[] args) throws Exception {
        SM sm = new SM();
        System.out.println(sm.ctx()[0].getSimpleName() + sm.ctx()[1].getSimpleName());
        System.setSecurityManager(sm);
        try {
            AccessController.doPrivileged(
                    (PrivilegedAction<Void>)
                            () -> {
                                System.getSecurityManager()
                                        .checkPermission(new RuntimePermission("secret"));
                                return null;
                            });
        } catch (SecurityException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                AccessController.doPrivileged(
                        (PrivilegedAction<String>)
                                () -> System.getProperty("java.specification.version")));
        System.setSecurityManager(null);
        AccessControlContext none =
                new AccessControlContext(new ProtectionDomain[] {new ProtectionDomain(null, null)});
        try {
            AccessController.doPrivileged(
                    (PrivilegedAction<Void>)
                            () -> {
                                AccessController.checkPermission(new RuntimePermission("exitVM"));
                                return null;
                            },
                    none);
        } catch (AccessControlException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(AccessController.getContext() != null);
        Thread t = new Thread(() -> System.out.println(AccessController.getContext() != null));
        t.start();
        t.join();
        try {
            Policy.getPolicy();
            System.out.println("policy");
        } catch (SecurityException e) {
            System.out.println("no");
        }
        SecureRandom r = new SecureRandom();
        System.out.println(r.nextInt(1));
        KeyPairGenerator k = KeyPairGenerator.getInstance("RSA");
        k.initialize(1024);
        KeyPair p = k.generateKeyPair();
        Signature s = Signature.getInstance("SHA256withRSA");
        s.initSign(p.getPrivate());
        s.update("m".getBytes());
        byte[] sig = s.sign();
        s.initVerify(p.getPublic());
        s.update("m".getBytes());
        System.out.println(s.verify(sig) + " " + Security.getProviders()[0].getName());
    }
}
