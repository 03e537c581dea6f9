/**
 * The consumer test: packs every package as it would be published, installs the tarballs with plain npm in an empty
 * folder outside the workspace, and uses them as a stranger would: the command, the examples, the code of the READMEs,
 * types, adapters and a flow of third parties that must pass the published conformance suites, and agents of a framework
 * that is too large for the workspace. The only guard of what is published.
 * Usage: node scripts/consumer/run.ts [--keep] (after `pnpm build`).
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages } from '../pack-packages.ts';
import { mustRun, runCommand } from '../run-command.ts';
import { ROOT } from '../workspace.ts';
import { CONSUMER_DEPENDENCIES } from './consumer-dependencies.ts';
import { checkDeployed } from './deployed-server.ts';
import { checkHonoAgent, honoAgentDependencies } from './hono-agent/hono-agent.ts';
import { checkNext } from './next-application.ts';
import { readmeSnippets } from './readme-snippets.ts';

/** Folders of `fixtures`. */
const THIRD_PARTIES = ['third-party-adapter', 'third-party-flow', 'driver-in-processes', 'mastra-agent'] as const;
const keep = process.argv.includes('--keep');
const folder = mkdtempSync(join(tmpdir(), 'askema-consumer-'));
const tarballs = join(folder, 'tarballs');
const project = join(folder, 'project');
mkdirSync(tarballs);
mkdirSync(project);

/** The environment of a stranger: nothing of this workspace, no key, no model. */
const environment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_|OPENAI_|ANTHROPIC_|ASKEMA_|OLLAMA_|NODE_OPTIONS|NODE_PATH|VITEST)/i.test(name),
  ),
);
const step = (text: string): void => console.log(`- ${text}`);
const run = (command: string, ...parameters: string[]): string =>
  mustRun(command, parameters, { cwd: project, env: environment });

try {
  const packed = packPackages(tarballs);
  step(`packed ${packed.size} packages`);

  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({
      name: 'consumer',
      private: true,
      type: 'module',
      dependencies: {
        ...Object.fromEntries([...packed].map(([name, tarball]) => [name, `file:${tarball}`])),
        ...honoAgentDependencies(),
        ...CONSUMER_DEPENDENCIES,
      },
    }),
  );
  run('npm', 'install', '--no-audit', '--no-fund', '--loglevel=error');
  const bin = join(project, 'node_modules', '.bin');
  environment.PATH = `${bin}:${environment.PATH}`;
  step('installed with plain npm');

  for (const name of readdirSync(join(ROOT, 'examples'))) {
    if (name === 'node_modules' || name === 'package.json' || name.includes('.test.')) continue;
    cpSync(join(ROOT, 'examples', name), join(project, 'examples', name), { recursive: true });
  }
  const answer = run('askema', 'ask', 'examples/store.sqlite', 'How many customers are there?', '--format', 'json');
  if (JSON.parse(answer).type !== 'answered') throw new Error(`askema did not answer:\n${answer}`);
  run('askema', '--help');
  const fromFile = run('askema', 'ask', 'examples/rides.csv', 'How many rides are there?', '--format', 'json');
  if (JSON.parse(fromFile).type !== 'answered') throw new Error(`askema did not answer from a CSV file:\n${fromFile}`);
  step('the installed command answers');

  const withSecret = { ...environment, SNOWFLAKE_PASSWORD: 'none', GOOGLE_OAUTH_ACCESS_TOKEN: 'none' };
  for (const [address, driver] of [
    ['postgres://reader@localhost/shop', 'pg'],
    ['mariadb://reader@localhost/shop', 'mysql2'],
    ['snowflake://reader@account/SHOP', 'snowflake-sdk'],
    ['bigquery://project/shop', '@google-cloud/bigquery'],
  ] as const) {
    const { status, stdout, stderr } = runCommand('askema', ['check', address], { cwd: project, env: withSecret });
    if (status !== 2 || !`${stdout}${stderr}`.includes(`npm install "${driver}@`))
      throw new Error(`askema check ${address} does not say how to install ${driver}:\n${stdout}\n${stderr}`);
  }
  step('a driver that is not installed is told with its command');

  for (const { name, code } of readmeSnippets()) writeFileSync(join(project, name), code);
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2023',
        lib: ['es2023', 'esnext.disposable'],
        module: 'nodenext',
        types: ['node'],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        // The types of our own packages must hold in a stranger's strictest compiler.
        skipLibCheck: true,
      },
      include: ['examples', '*.ts', ...THIRD_PARTIES.map((name) => `${name}/src`)],
      exclude: ['examples/servers/next', 'examples/applications'],
    }),
  );
  for (const name of THIRD_PARTIES)
    cpSync(join(ROOT, 'scripts', 'consumer', 'fixtures', name), join(project, name), { recursive: true });
  run('tsc', '-p', '.');
  step('README code, examples, the third-party adapters and flow compile against the packed types');

  const named = (kind: 'run' | 'test') => readmeSnippets().flatMap((one) => (one.kind === kind ? [one.name] : []));
  for (const name of named('run')) run('node', name);
  run('vitest', 'run', ...named('test'));
  step(`${named('run').length} README programs ran, and ${named('test').length} files of tests`);

  for (const name of readdirSync(join(project, 'examples'))
    .filter((file) => /^\d+.*\.ts$/.test(file))
    .sort()) {
    run('node', join('examples', name));
  }
  step('every example ran');

  await checkDeployed(folder, packed, environment);
  step('the server passes its smoke test as a user without rights, from files that cannot be changed');

  await checkNext(project, environment);
  step('the Next application was built, and asks, refuses and stops as the others do');

  const through = await checkHonoAgent(project, environment);
  step(
    `the Hono application streams to its page what its agent does, refuses, stops, and sends one trace through ${through}`,
  );

  for (const name of THIRD_PARTIES) {
    // As in vitest.config.ts: on a machine that does too much, one in thousands fails by chance.
    run('vitest', 'run', '--root', name, `--retry=${process.env.CI === 'true' ? 1 : 0}`);
    step(`${name} passed its suites`);
  }
  console.log('the packed packages hold');
} finally {
  if (keep) console.log(`kept ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
