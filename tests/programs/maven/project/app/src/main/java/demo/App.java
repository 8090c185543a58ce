package demo;

public class App {
    public static int evaluate(String postfix) {
        Stack<Integer> s = new Stack<>();
        for (String t : postfix.split(" ")) {
            switch (t) {
                case "+" -> s.push(s.pop() + s.pop());
                case "*" -> s.push(s.pop() * s.pop());
                default -> s.push(Integer.parseInt(t));
            }
        }
        return s.pop();
    }
}
