import manifest from '../package.json' with { type: 'json' };

/** Who makes the spans and metrics, as `getTracer` and `getMeter` take it. The build puts the manifest into the bundle. */
export const SCOPE = [manifest.name, manifest.version] as const;
