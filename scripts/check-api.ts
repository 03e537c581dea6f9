/**
 * The API report of core: adapters and providers of third parties depend on its types, so every change of them must show in
 * review. Fails when packages/core/etc/core.api.md does not match the build.
 * Usage: node scripts/check-api.ts [--update] (after `pnpm build`).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { ROOT } from './workspace.ts';

const update = process.argv.includes('--update');
const folder = join(ROOT, 'packages', 'core');
const entry = join(folder, 'dist', 'index.d.ts');
if (!existsSync(entry)) throw new Error('packages/core/dist/index.d.ts is not there; run `pnpm build` first');

const config = ExtractorConfig.prepare({
  configObject: {
    projectFolder: folder,
    mainEntryPointFilePath: entry,
    compiler: {
      overrideTsconfig: {
        compilerOptions: { module: 'nodenext', target: 'es2023', skipLibCheck: true, types: ['node'] },
      },
    },
    apiReport: {
      enabled: true,
      reportFileName: 'core',
      reportFolder: join(folder, 'etc'),
      reportTempFolder: join(folder, 'temp'),
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    messages: {
      compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
    },
  },
  configObjectFullPath: undefined,
  packageJsonFullPath: join(folder, 'package.json'),
});
const result = Extractor.invoke(config, {
  localBuild: update,
  showVerboseMessages: false,
  messageCallback: (message) => {
    message.handled = true;
  },
});
if (result.apiReportChanged && !update) {
  console.error(
    'The public types of @askema/core changed. Look at the difference, then run `pnpm check:api --update`.',
  );
  process.exitCode = 1;
} else {
  console.log(update ? 'packages/core/etc/core.api.md is up to date' : 'the API of core matches its report');
}
