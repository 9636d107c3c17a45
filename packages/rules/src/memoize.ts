/**
 * Caches one value per object, weakly. The value is shared: do not mutate. Other arguments must be the same on each
 * call.
 */
export function memoizeByObject<Of extends object, Made extends object, Rest extends readonly unknown[]>(
  make: (of: Of, ...rest: Rest) => Made,
): (of: Of, ...rest: Rest) => Made {
  const cache = new WeakMap<Of, Made>();
  return (of, ...rest) => {
    let cached = cache.get(of);
    if (cached === undefined) {
      cached = make(of, ...rest);
      cache.set(of, cached);
    }
    return cached;
  };
}
