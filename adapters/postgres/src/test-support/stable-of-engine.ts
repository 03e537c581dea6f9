/** The names of the functions that the engine that is asked has of itself, calls STABLE, and that a query can call. */
export const STABLE_OF_ENGINE = `SELECT DISTINCT p.proname FROM pg_proc AS p WHERE p.provolatile = 's' AND p.oid < 16384
  AND p.pronamespace = 'pg_catalog'::regnamespace AND NOT 'internal'::regtype::oid = ANY (p.proargtypes)
  AND p.prokind <> 'p' AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)`;
