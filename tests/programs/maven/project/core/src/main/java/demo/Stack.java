package demo;

import java.util.ArrayDeque;
import java.util.Deque;

public class Stack<T> {
    private final Deque<T> items = new ArrayDeque<>();

    public void push(T t) { items.push(t); }

    public T pop() { return items.pop(); }

    public int size() { return items.size(); }
}
