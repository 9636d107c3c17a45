/** `read-file.ts URL TOKEN ROWS`: disconnects after ROWS rows and prints its findings. */
const [url, token, rows] = process.argv.slice(2);
const leaving = new AbortController();
const reply = await fetch(url!, { headers: { authorization: `Bearer ${token}` }, signal: leaving.signal });
if (!reply.ok || !reply.body) throw new Error(`The file answered ${reply.status}: ${await reply.text()}`);
const read = { rows: 0, bytes: 0, total: Number(reply.headers.get('x-total-rows')) };
for await (const chunk of reply.body as AsyncIterable<Uint8Array>) {
  read.bytes += chunk.length;
  for (const byte of chunk) if (byte === 10) read.rows++;
  if (read.rows >= Number(rows)) break;
}
leaving.abort();
console.log(JSON.stringify(read));
