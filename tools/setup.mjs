// Entry point of every `npm run …`. Plain JavaScript: runs before installation and on any Node.
const major = Number(process.versions.node.split('.')[0]);

if (major < 20) {
  console.error(`Drawhouse needs Node 20 or later for its setup. This is Node ${process.versions.node}.`);
  process.exitCode = 1;
} else {
  void import('./setup/main.mjs').then(({ main }) => main(process.argv.slice(2)));
}
