/** A view by its name, and what its definition says; names as the engine compares them. */
export interface ViewText {
  readonly schema: string;
  readonly name: string;
  /** The function that it calls itself and should not. */
  readonly call: string | undefined;
  /** All names in its definition. Default: none, as of a relation of the engine that acts by itself. */
  readonly names?: readonly string[] | undefined;
}

/** Views of one name. */
export interface CallingView {
  /** The function that one of them calls. */
  readonly call: string;
  /** Where views of this name are. */
  readonly schemas: readonly string[];
}

/** The views that call a function which they should not, themselves or through other views, by their names. */
export function viewsThatCall(views: readonly ViewText[]): ReadonlyMap<string, CallingView> {
  const calls = new Map<string, string>();
  for (const { name, call } of views) if (call !== undefined) calls.set(name, call);
  // A round for each level of views on views.
  for (let before = -1; before < calls.size && calls.size > 0; ) {
    before = calls.size;
    for (const { name, names = [] } of views) {
      const through = names.find((one) => calls.has(one));
      if (through !== undefined && !calls.has(name)) calls.set(name, calls.get(through) ?? '');
    }
  }
  const places = Map.groupBy(views, ({ name }) => name);
  const schemasOf = (name: string): readonly string[] => (places.get(name) ?? []).map(({ schema }) => schema);
  return new Map([...calls].map(([name, call]) => [name, { call, schemas: schemasOf(name) }]));
}

/**
 * The first of the names in a text that may mean such a view. A view of another schema is meant only where that is
 * named as well.
 *
 * @param within the schema in which names without one are looked for.
 * @returns its place among the names, and the function that it calls.
 */
export function findCallingView(
  names: readonly string[],
  within: string,
  views: ReadonlyMap<string, CallingView>,
): { readonly at: number; readonly call: string } | undefined {
  const isMeant = (schema: string): boolean => schema === within || names.includes(schema);
  const at = names.findIndex((name) => views.get(name)?.schemas.some(isMeant));
  const call = views.get(names[at] ?? '')?.call;
  return call === undefined ? undefined : { at, call };
}
