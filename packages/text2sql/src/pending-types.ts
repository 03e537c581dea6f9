/** Stand-ins for types that are about to arrive in core; removed as soon as they are there. */
export type Journal = unknown;
export type Budget = unknown;
export type Flow<State, Deps> = { readonly name: string; readonly state?: State; readonly deps?: Deps };
