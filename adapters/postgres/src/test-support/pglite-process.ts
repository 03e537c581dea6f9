import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/**
 * A PGlite behind a socket, in a process of its own: its statements block the thread that they run on. Ends with its
 * parent.
 */
const database = await PGlite.create();
const server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port: 0, maxConnections: 50 });
await server.start();
process.once('disconnect', () => process.exit(0));
process.send?.({ port: Number(server.getServerConn().split(':').at(-1)) });
