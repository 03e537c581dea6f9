// Installs all-MiniLM-L6-v2 where it is missing and serves its embeddings in OpenAI's protocol on the loopback address. Prints
// {"url": "http://127.0.0.1:…/v1"}; ends when stdin ends.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { installPackages } from '../python-packages.mjs';

const { python, environment } = await installPackages(import.meta.dirname, ['--no-deps']);
const child = spawn(python, [join(import.meta.dirname, 'serve.py')], {
  // Several threads wait for each other where the processors are busy.
  // Its stdin ends with this process, however that ends.
  stdio: ['pipe', 'inherit', 'inherit'],
  env: { ...environment, PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1', OPENBLAS_NUM_THREADS: '1' },
});
child.once('close', (code) => process.exit(code === null || code === 0 ? 0 : 1));
process.stdin.resume();
process.stdin.once('close', () => child.kill('SIGKILL'));
process.stdin.once('end', () => child.kill('SIGKILL'));
