/**
 * Fills static/vendor from node_modules: `make vendor` runs it after `npm ci`.
 *
 * Libraries are copied as published (the page has no build step); icons become one sprite.
 * The result is committed, with each library's licence and version in static/vendor/README.md,
 * so that serving the page needs no node.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const MODULES = join(ROOT, "node_modules");
const VENDOR = join(ROOT, "static", "vendor");

/** What is copied: package, file in the package, file in static/vendor. */
const FILES = [
  ["lit-html", "lit-html.js"],
  ["lit-html", "directive.js"],
  ["lit-html", "directive-helpers.js"],
  ["lit-html", "directives/class-map.js"],
  ["lit-html", "directives/keyed.js"],
  ["lit-html", "directives/live.js"],
  ["lit-html", "directives/repeat.js"],
  // Their types, for `npm run check` alone.
  ["lit-html", "lit-html.d.ts"],
  ["lit-html", "directive.d.ts"],
  ["lit-html", "directives/class-map.d.ts"],
  ["lit-html", "directives/keyed.d.ts"],
  ["lit-html", "directives/live.d.ts"],
  ["lit-html", "directives/repeat.d.ts"],
  ["lit-html", "LICENSE"],
  ["zzfx", "ZzFX.js"],
  ["zzfx", "LICENSE"],
  // Renamed: some servers do not know the type of .mjs, and a module of a wrong type is refused.
  ["canvas-confetti", "dist/confetti.module.mjs", "confetti.js"],
  ["canvas-confetti", "LICENSE"],
  ["lucide-static", "LICENSE"],
];

/** Icons of lucide that the page uses. */
const ICONS = [
  "arrow-left", "arrow-right", "book-open", "bot", "check", "chevron-left", "chevron-right",
  "chevrons-left", "chevrons-right", "circle-help", "copy", "crown", "download", "eye", "film",
  "flag", "gavel", "gift", "hand", "hash", "history", "house", "languages", "layers", "link",
  "log-out", "megaphone", "pencil", "play", "plus", "rotate-ccw", "scroll-text", "settings",
  "shield", "shuffle", "sliders-horizontal", "sword", "timer", "triangle-alert", "trophy", "user",
  "user-check", "users", "volume-2", "volume-x", "x", "zap",
];

/** The four suits, drawn here; the same outlines as on the cards. */
const SUITS = {
  S: "M0-500c100 250 355 400 355 685a150 150 0 0 1-300 0 10 10 0 0 0-20 0c0 200 50 215 95 315h-260c45-100 95-115 95-315a10 10 0 0 0-20 0 150 150 0 0 1-300 0c0-285 255-435 355-685",
  H: "M0-300c0-100 100-200 200-200s200 100 200 250C400 0 0 400 0 500 0 400-400 0-400-250c0-150 100-250 200-250S0-400 0-300",
  D: "M-400 0C-350 0 0-450 0-500 0-450 350 0 400 0 350 0 0 450 0 500 0 450-350 0-400 0",
  C: "M30 150c5 235 55 250 100 350h-260c45-100 95-115 100-350a10 10 0 0 0-20 0 210 210 0 1 1-74-201 10 10 0 0 0 14-14 230 230 0 1 1 220 0 10 10 0 0 0 14 14 210 210 0 1 1-74 201 10 10 0 0 0-20 0",
};

async function copyLibraries() {
  for (const [name, from, to = from] of FILES) {
    const target = join(VENDOR, name, to);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(MODULES, name, from), target);
  }
}

/** @param {string} name */
async function symbolOf(name) {
  const text = await readFile(join(MODULES, "lucide-static", "icons", `${name}.svg`), "utf8");
  const inner = text.replace(/[\s\S]*?<svg[^>]*>/, "").replace(/<\/svg>[\s\S]*/, "");
  return `<symbol id="i-${name}" viewBox="0 0 24 24">${inner.replace(/\s*\n\s*/g, "")}</symbol>`;
}

async function writeSprite() {
  const icons = await Promise.all(ICONS.map(symbolOf));
  const suits = Object.entries(SUITS).map(
    ([suit, d]) => `<symbol id="s-${suit}" viewBox="-520 -520 1040 1040"><path d="${d}"/></symbol>`,
  );
  const lines = [
    '<svg xmlns="http://www.w3.org/2000/svg" class="sprite" aria-hidden="true">',
    "<!-- icons: lucide-static (ISC), see lucide-static/LICENSE; suits: drawn for Rebelote -->",
    ...icons, ...suits, "</svg>", "",
  ];
  await writeFile(join(VENDOR, "sprite.svg"), lines.join("\n"));
}

async function writeReadme() {
  const rows = await Promise.all(
    ["lit-html", "zzfx", "canvas-confetti", "lucide-static"].map(async (name) => {
      const pkg = JSON.parse(await readFile(join(MODULES, name, "package.json"), "utf8"));
      return `| ${name} | ${pkg.version} | ${pkg.license} | [LICENSE](${name}/LICENSE) |`;
    }),
  );
  const text = [
    "# Vendored libraries", "",
    "Written by `make vendor` (scripts/vendor.mjs) from the versions in package-lock.json; do not",
    "edit by hand. Files are as published; icons are gathered in `sprite.svg`.", "",
    "| library | version | licence | text |", "|---|---|---|---|", ...rows, "",
    "Fonts (Inter, Young Serif: OFL 1.1, texts in `../fonts/`) were subset to Latin with",
    "`pyftsubset`; cards and faces come from Adrian Kennard's deck (CC0), toned, through svgo.", "",
  ];
  await writeFile(join(VENDOR, "README.md"), text.join("\n"));
}

await rm(VENDOR, { recursive: true, force: true });
await copyLibraries();
await writeSprite();
await writeReadme();
