/** The end of a flow. `action` is what the flow ends with; undefined hands on the action that led here. */
export interface EndTarget<Action extends string | undefined = string | undefined> {
  readonly kind: 'end';
  readonly action: Action;
}

/** Where an action leads: to a step, by name, or to the end. */
export type Target = string | EndTarget;

/** A target for every action. */
export type Routes<Action extends string> = { readonly [A in Action]: Target };

/** Makes keys that are no action a compile error. */
export type NoOtherActions<Given, Action extends string> = { readonly [Key in Exclude<keyof Given, Action>]: never };

/** What a flow with these routes can end with. */
export type FinalActions<Given> = {
  [Action in keyof Given]: Given[Action] extends EndTarget<infer Final>
    ? Final extends string
      ? Final
      : Action & string
    : never;
}[keyof Given];

/**
 * The end of a flow, as a target of routes: `{ done: end, failed: end('gave-up') }`. Bare, the flow ends with the
 * action that led here (`done`); called, with the action named. An outer flow routes by it.
 */
export const end: EndTarget<undefined> & (<const Action extends string>(action: Action) => EndTarget<Action>) =
  /* @__PURE__ */ Object.freeze(
    /* @__PURE__ */ Object.assign(
      <const Action extends string>(action: Action): EndTarget<Action> => ({ kind: 'end', action }),
      { kind: 'end' as const, action: undefined },
    ),
  );
