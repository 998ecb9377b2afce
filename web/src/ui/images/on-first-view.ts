const callbacks = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Calls back once when the element becomes visible. The returned function stops observing. */
export function onFirstView(element: Element, callback: () => void): () => void {
  observer ??= new IntersectionObserver((entries, self) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      self.unobserve(target);
      callbacks.get(target)?.();
    }
  });
  const shared = observer;
  callbacks.set(element, callback);
  shared.observe(element);
  return () => {
    callbacks.delete(element);
    shared.unobserve(element);
  };
}
