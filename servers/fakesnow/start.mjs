// Installs fakesnow where it is missing, starts it, and in front of it the proxy that the Node driver needs. Prints {"port": …, "python": <pid>};
// ends, and fakesnow with it, when stdin ends. `--install` only installs.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { installPackages } from '../python-packages.mjs';
import { createProxy } from './proxy.mjs';

const { python, environment } = await installPackages(import.meta.dirname);
if (!process.argv.includes('--install')) await serve();

async function serve() {
  const child = spawn(python, [join(import.meta.dirname, 'serve.py')], {
    // Its stdin ends with this process, however that ends.
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...environment, PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1' },
  });
  child.once('close', (code) => process.exit(code === null || code === 0 ? 0 : 1));
  const ready = await new Promise((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\n')) resolve(JSON.parse(text));
    });
  });
  const proxy = createProxy(ready.port);
  proxy.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${JSON.stringify({ port: proxy.address().port, python: child.pid })}\n`);
  });
  process.stdin.resume();
  process.stdin.once('close', () => child.kill('SIGKILL'));
  process.stdin.once('end', () => child.kill('SIGKILL'));
}
