/** A view by its name, and what its definition says. */
export interface ViewText {
  readonly name: string;
  /** The function that it calls itself and should not. */
  readonly call: string | undefined;
  /** All names in its definition. */
  readonly names: readonly string[];
}

/** The views that call a function which they should not, themselves or through other views; each with that function. */
export function viewsThatCall(views: readonly ViewText[]): ReadonlyMap<string, string> {
  const calling = new Map<string, string>();
  for (const { name, call } of views) if (call !== undefined) calling.set(name, call);
  // A round for each level of views on views.
  for (let before = -1; before < calling.size && calling.size > 0; ) {
    before = calling.size;
    for (const { name, names } of views) {
      const through = names.find((one) => calling.has(one));
      if (through !== undefined && !calling.has(name)) calling.set(name, calling.get(through) ?? '');
    }
  }
  return calling;
}
