const calls = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Calls back once when the element becomes visible. The returned function stops observing. */
export function onFirstView(element: Element, call: () => void): () => void {
  observer ??= new IntersectionObserver((entries, self) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      self.unobserve(target);
      calls.get(target)?.();
    }
  });
  const shared = observer;
  calls.set(element, call);
  shared.observe(element);
  return () => {
    calls.delete(element);
    shared.unobserve(element);
  };
}
