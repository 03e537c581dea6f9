/**
 * API reports of the packages that adapters, providers, flows and pages of third parties build on: each change of their
 * public types must show in review. Fails when a report in `packages/<name>/etc` does not match the build.
 * Usage: node scripts/check-api.ts [--update] (after `pnpm build`).
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireTool } from './require-tool.ts';
import { floorOf } from './structure/floors.ts';
import { publishedPackages } from './workspace.ts';

const { Extractor, ExtractorConfig, ExtractorLogLevel } = requireTool<{
  readonly Extractor: { invoke(config: unknown, options: object): unknown };
  readonly ExtractorConfig: { prepare(options: object): unknown };
  readonly ExtractorLogLevel: { readonly None: unknown };
}>('@microsoft/api-extractor');

/**
 * Below the floor of adapters and flows, what their authors import beside it, what a page imports by itself, and what
 * an application mounts.
 */
const reported = publishedPackages().filter(
  ({ path }) =>
    (floorOf(path) ?? 0) < (floorOf('packages/text2sql') ?? 0) ||
    ['packages/text2sql', 'packages/testkit', 'packages/chart', 'packages/tools', 'packages/server'].includes(path),
);
const update = process.argv.includes('--update');
const changed: string[] = [];
let reports = 0;
for (const { folder, path, manifest } of reported)
  for (const entry of Object.keys(manifest.exports ?? {})) {
    const name = entry === '.' ? 'index' : entry.slice(2);
    const types = join(folder, 'dist', `${name}.d.ts`);
    // A worker is a program: it exports nothing.
    if (name === 'worker' || entry.endsWith('.json') || !existsSync(join(folder, 'src', `${name}.ts`))) continue;
    if (!existsSync(types)) throw new Error(`${path}/dist/${name}.d.ts is not there; run \`pnpm build\` first`);
    const report = path.replace('packages/', '') + (entry === '.' ? '' : `-${name}`);
    reports += 1;
    if (hasChanged(folder, types, report)) changed.push(`${path}/etc/${report}.api.md`);
  }

if (changed.length > 0 && !update) {
  console.error(`The public types changed: ${changed.join(', ')}`);
  console.error('Look at the difference, then run `pnpm check:api --update`.');
  process.exitCode = 1;
} else console.log(update ? `${reports} reports are up to date` : `the API of ${reported.length} packages matches`);

/** Whether the report of the build differs from the one that stands there, which is written anew with `--update`. */
function hasChanged(folder: string, types: string, report: string): boolean {
  const none = { default: { logLevel: ExtractorLogLevel.None } };
  const made = join(folder, 'temp', `${report}.api.md`);
  // The tool writes no first report into a folder that is not there.
  mkdirSync(join(folder, 'temp', 'before'), { recursive: true });
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      compiler: {
        overrideTsconfig: {
          compilerOptions: { module: 'nodenext', target: 'es2023', skipLibCheck: true, types: ['node'] },
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: report,
        reportFolder: join(folder, 'temp', 'before'),
        reportTempFolder: join(folder, 'temp'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: none,
        extractorMessageReporting: none,
        tsdocMessageReporting: none,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
  });
  Extractor.invoke(config, {
    localBuild: true,
    showVerboseMessages: false,
    messageCallback: (message: { handled: boolean }) => {
      message.handled = true;
    },
  });
  const text = inOrder(readFileSync(made, 'utf8'));
  const kept = join(folder, 'etc', `${report}.api.md`);
  const changed = !existsSync(kept) || readFileSync(kept, 'utf8') !== text;
  if (changed && update) {
    mkdirSync(join(folder, 'etc'), { recursive: true });
    writeFileSync(kept, text);
  }
  return changed;
}

/**
 * The compiler writes the members of an inferred union in the order in which it met them, which differs from build to
 * build.
 */
function inOrder(report: string): string {
  return report.replaceAll(/"[^"|\n]*"(?: \| "[^"|\n]*")+/g, (union) => union.split(' | ').sort().join(' | '));
}
