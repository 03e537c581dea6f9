import { readFileSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { SHOP_SQL, scriptedConfig, type TemporaryProject, temporaryProject } from './temporary-project.ts';

const OTEL = resolve(import.meta.dirname, '../../../otel/node_modules/@opentelemetry');
const GUIDE = new URL('../../../../docs/guide/tracing.md', import.meta.url);

/** The configuration of the guide of traces, with a model that answers with these statements. */
export function tracingConfig(statements: readonly string[], more = ''): string {
  const [, program = ''] =
    /^## With the command[\s\S]*?^```ts\n([\s\S]*?)^```/m.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  const [, ofGuide = ''] = /defineConfig\(\{\n([\s\S]*)\}\);/.exec(program) ?? [];
  const [imports = ''] = program.split('export default');
  return `${imports.replace(/^import .* from 'askema';$/m, '')}${scriptedConfig(statements, `${ofGuide}${more}`)}`;
}

/** A project with `shop.sqlite`, in which the packages of OpenTelemetry are found. */
export function tracingProject(): TemporaryProject {
  const project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  symlinkSync(OTEL, project.path('node_modules/@opentelemetry'), 'dir');
  return project;
}
