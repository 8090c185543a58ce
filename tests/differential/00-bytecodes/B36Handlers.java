// covers: athrow(first-row,self-protecting,missing-type)
public class B36Handlers {
    public static void main(String[] args) {
        System.out.println(GenHandlers.order(0));
        System.out.println(GenHandlers.order(1));
        System.out.println(GenHandlers.self(5));
        for (int i = 1; i >= 0; i--)
            try {
                System.out.println(GenMissingCatch.missingType(i));
            } catch (Throwable t) {
                System.out.println(t);
            }
    }
}
