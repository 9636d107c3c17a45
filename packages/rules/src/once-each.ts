/**
 * Makes something of each object once, and keeps it for as long as the object is there. It is shared: nobody is to change it. What else
 * `make` is given has to be the same each time.
 */
export function onceEach<Of extends object, Made extends object, Rest extends readonly unknown[]>(
  make: (of: Of, ...rest: Rest) => Made,
): (of: Of, ...rest: Rest) => Made {
  const known = new WeakMap<Of, Made>();
  return (of, ...rest) => {
    let made = known.get(of);
    if (made === undefined) {
      made = make(of, ...rest);
      known.set(of, made);
    }
    return made;
  };
}
