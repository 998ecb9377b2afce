/** Replaces methods of an object. The other methods keep their `this`, which a spread of a class instance would lose. */
export function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(object, name) {
      if (name in methods) return Reflect.get(methods, name) as unknown;
      const value: unknown = Reflect.get(object, name, object);
      return typeof value === "function" ? (value.bind(object) as unknown) : value;
    },
  });
}
