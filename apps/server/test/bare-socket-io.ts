import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';

/**
 * Socket.IO alone, as a process of its own: whoever sends `gameData` is in the one room there is and is told so. By its parent's messages it
 * sends events to the room, given times a second, one after the other.
 */
const http = createServer();
const io = new Server(http, { serveClient: false });
const ROOM = 'panel';
let timer: NodeJS.Timeout | undefined;

io.on('connection', (socket) => {
  socket.on('gameData', () => {
    void socket.join(ROOM);
    socket.emit('joined');
  });
});

process.on('message', ({ bodies, aSecond }: { bodies: readonly unknown[]; aSecond: number }) => {
  clearInterval(timer);
  let next = 0;
  if (bodies.length > 0)
    timer = setInterval(() => io.to(ROOM).emit('panelChange', bodies[next++ % bodies.length]), 1000 / aSecond);
});
process.on('disconnect', () => process.exit());

http.listen(0, '127.0.0.1', () => process.send!({ port: (http.address() as AddressInfo).port }));
