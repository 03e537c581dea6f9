import type { DesignTools } from '@askema/tools';
import { hasScope } from '../caller/scopes.ts';
import { designOf, readDesign } from '../routes/designs/design-runs.ts';
import { leavingWith } from '../routes/leaving.ts';
import type { RouteCall } from '../routes/route.ts';

/**
 * What `design_schema` designs with; undefined where the server designs none, or not for this caller. Each one is a design
 * of the caller like those of routes, but asks nothing back: it states what it assumes.
 */
export function designTools(call: RouteCall): DesignTools | undefined {
  if (call.parts.design === undefined || !hasScope(call.caller, 'design')) return undefined;
  return {
    dialect: designOf(call).dialect,
    text2schema: {
      async design(text, { signal = call.signal, onEvent } = {}) {
        const { checkRequirement } = await import('@askema/text2schema');
        const requirement = checkRequirement(text);
        call.holdQuestion();
        const id = call.parts.records.newId();
        const heard = { ...call, signal: leavingWith(call.signal, signal).signal };
        const reader = readDesign(heard, designOf(call), { id, run: id, requirement, asksBack: false });
        if (onEvent !== undefined)
          for await (const event of reader.events) if (event.type !== 'events-dropped') onEvent(event);
        return reader.result;
      },
    },
  };
}
