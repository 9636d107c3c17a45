import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';

/**
 * Plain Socket.IO in a child process. `gameData` or `watchGames` joins the only room. The parent orders events per
 * second.
 */
const http = createServer();
const io = new Server(http, { serveClient: false });
const ROOM = 'panel';
let timer: NodeJS.Timeout | undefined;

interface Orders {
  readonly event?: string;
  readonly bodies: readonly unknown[];
  readonly aSecond: number;
}

io.on('connection', (socket) => {
  const join = (): void => {
    void socket.join(ROOM);
    socket.emit('joined');
  };
  socket.on('gameData', join);
  socket.on('watchGames', join);
});

process.on('message', ({ event = 'panelChange', bodies, aSecond }: Orders) => {
  clearInterval(timer);
  let next = 0;
  if (bodies.length > 0)
    timer = setInterval(() => io.to(ROOM).emit(event, bodies[next++ % bodies.length]), 1000 / aSecond);
});
process.on('disconnect', () => process.exit());

http.listen(0, '127.0.0.1', () => process.send!({ port: (http.address() as AddressInfo).port }));
