// Makes the vectors of packages/tlog by golang.org/x/mod, or verifies those that packages/tlog made.
// README.md beside it says how it is run.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const (
	largest       = 70_000
	height        = 8
	logName       = "drawhouse-vectors/seals/1"
	witnessName   = "witness.example/w1"
	cosignedAt    = 1_679_315_147
	proofIndex    = 555
	proofSize     = 1_234
	algEd25519    = 0x01
	algCosignedV1 = 0x04
)

type tree struct {
	Size int64  `json:"size"`
	Root string `json:"root"`
	// SHA-256 of the bytes of each tile that no tree before it has, by its path.
	Tiles map[string]string `json:"tiles"`
}
type inclusion struct {
	Index int64    `json:"index"`
	Size  int64    `json:"size"`
	Path  []string `json:"path"`
}
type consistency struct {
	From int64    `json:"from"`
	To   int64    `json:"to"`
	Path []string `json:"path"`
}
type vectors struct {
	LogKey        string            `json:"logKey"`
	WitnessKey    string            `json:"witnessKey"`
	Trees         []tree            `json:"trees"`
	Inclusions    []inclusion       `json:"inclusions"`
	Consistencies []consistency     `json:"consistencies"`
	Notes         []string          `json:"notes"`
	Proof         string            `json:"proof"`
	Bundles       map[string]string `json:"bundles"`
}

var (
	sizes      = []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 255, 256, 257, 511, 512, 600, 1_234, 65_535, 65_536, 65_537, largest}
	inclusions = [][2]int64{
		{0, 1}, {0, 2}, {1, 2}, {2, 3}, {4, 5}, {6, 7}, {0, 257}, {256, 257}, {255, 600},
		{proofIndex, proofSize}, {65_535, 65_536}, {65_536, 65_537}, {0, largest}, {12_345, largest},
		{69_999, largest},
	}
	pairs = [][2]int64{
		{1, 1}, {1, 2}, {2, 3}, {3, 7}, {4, 8}, {6, 8}, {7, 9}, {255, 256}, {256, 257}, {257, 600},
		{512, 600}, {600, 65_536}, {65_536, 65_537}, {65_535, largest}, {1_234, largest}, {1, largest},
	}
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func entry(index int64) []byte { return []byte(fmt.Sprintf("entry %d", index)) }

func b64(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Every stored hash of the largest tree, as x/mod numbers them.
func storedHashes() []tlog.Hash {
	var stored []tlog.Hash
	reader := readerOf(&stored)
	for index := int64(0); index < largest; index++ {
		stored = append(stored, must(tlog.StoredHashes(index, entry(index), reader))...)
	}
	return stored
}

func readerOf(stored *[]tlog.Hash) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var out []tlog.Hash
		for _, index := range indexes {
			out = append(out, (*stored)[index])
		}
		return out, nil
	})
}

// tlog-tiles leaves the height of a tile out of its path.
func tilePath(tile tlog.Tile) string { return strings.Replace(tile.Path(), "tile/8/", "tile/", 1) }

func texts(hashes []tlog.Hash) []string {
	out := []string{}
	for _, hash := range hashes {
		out = append(out, b64(hash[:]))
	}
	return out
}

func seed(of byte) []byte { return bytes.Repeat([]byte{of}, ed25519.SeedSize) }

func keyHash(name string, alg byte, public []byte) uint32 {
	sum := sha256.Sum256(append([]byte(name+"\n"), append([]byte{alg}, public...)...))
	return binary.BigEndian.Uint32(sum[:])
}

func vkey(name string, alg byte, public []byte) string {
	return fmt.Sprintf("%s+%08x+%s", name, keyHash(name, alg, public), b64(append([]byte{alg}, public...)))
}

// cosignature/v1, which x/mod leaves to others, as a signer and a verifier of its notes.
type witness struct {
	private ed25519.PrivateKey
	public  ed25519.PublicKey
}

func (w witness) Name() string    { return witnessName }
func (w witness) KeyHash() uint32 { return keyHash(witnessName, algCosignedV1, w.public) }
func (w witness) message(text []byte, at uint64) []byte {
	return append([]byte(fmt.Sprintf("cosignature/v1\ntime %d\n", at)), text...)
}
func (w witness) Sign(text []byte) ([]byte, error) {
	out := binary.BigEndian.AppendUint64(nil, cosignedAt)
	return append(out, ed25519.Sign(w.private, w.message(text, cosignedAt))...), nil
}
func (w witness) Verify(text, sig []byte) bool {
	return len(sig) == 72 && ed25519.Verify(w.public, w.message(text, binary.BigEndian.Uint64(sig)), sig[8:])
}

func keys() (note.Signer, witness, string, string) {
	private := ed25519.NewKeyFromSeed(seed(1))
	public := private.Public().(ed25519.PublicKey)
	skey := fmt.Sprintf("PRIVATE+KEY+%s+%08x+%s", logName, keyHash(logName, algEd25519, public), b64(append([]byte{algEd25519}, seed(1)...)))
	signer := must(note.NewSigner(skey))
	vkeyOfLog := must(note.NewEd25519VerifierKey(logName, public))
	w := witness{private: ed25519.NewKeyFromSeed(seed(2))}
	w.public = w.private.Public().(ed25519.PublicKey)
	return signer, w, vkeyOfLog, vkey(witnessName, algCosignedV1, w.public)
}

func bundle(from, to int64) []byte {
	var out []byte
	for index := from; index < to; index++ {
		data := entry(index)
		out = append(binary.BigEndian.AppendUint16(out, uint16(len(data))), data...)
	}
	return out
}

func checkpoint(size int64, root tlog.Hash) string {
	return fmt.Sprintf("%s\n%d\n%s\n", logName, size, b64(root[:]))
}

func makeVectors() {
	stored := storedHashes()
	reader := readerOf(&stored)
	signer, w, logKey, witnessKey := keys()
	out := vectors{LogKey: logKey, WitnessKey: witnessKey, Bundles: map[string]string{}}
	written := map[string]bool{}
	for _, size := range sizes {
		root := must(tlog.TreeHash(size, reader))
		made := tree{Size: size, Root: b64(root[:]), Tiles: map[string]string{}}
		for _, tile := range tlog.NewTiles(height, 0, size) {
			// x/mod lists the narrower partial tiles that such a tree once had too.
			isOfTree := tile.W == 1<<height || tile.N<<height+int64(tile.W) == size>>(height*tile.L)
			if path := tilePath(tile); isOfTree && !written[path] {
				written[path] = true
				made.Tiles[path] = digest(must(tlog.ReadTileData(tile, reader)))
			}
		}
		out.Trees = append(out.Trees, made)
		signed := must(note.Sign(&note.Note{Text: checkpoint(size, root)}, signer, w))
		out.Notes = append(out.Notes, string(signed))
	}
	for _, of := range inclusions {
		path := must(tlog.ProveRecord(of[1], of[0], reader))
		out.Inclusions = append(out.Inclusions, inclusion{of[0], of[1], texts(path)})
	}
	for _, of := range pairs {
		path := must(tlog.ProveTree(of[1], of[0], reader))
		out.Consistencies = append(out.Consistencies, consistency{of[0], of[1], texts(path)})
	}
	root := must(tlog.TreeHash(proofSize, reader))
	signed := must(note.Sign(&note.Note{Text: checkpoint(proofSize, root)}, signer, w))
	path := strings.Join(texts(must(tlog.ProveRecord(proofSize, proofIndex, reader))), "\n")
	out.Proof = fmt.Sprintf("c2sp.org/tlog-proof@v1\nextra %s\nindex %d\n%s\n\n%s", b64([]byte("extra")), proofIndex, path, signed)
	out.Bundles["tile/entries/000"] = digest(bundle(0, 256))
	out.Bundles["tile/entries/002.p/88"] = digest(bundle(512, 600))
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	check(encoder.Encode(out))
}

func hashOf(text string) tlog.Hash {
	data := must(base64.StdEncoding.DecodeString(text))
	if len(data) != tlog.HashSize {
		log.Fatalf("not a hash: %s", text)
	}
	return *(*tlog.Hash)(data)
}

func proofOf(path []string) []tlog.Hash {
	var out []tlog.Hash
	for _, text := range path {
		out = append(out, hashOf(text))
	}
	return out
}

// What our writer wrote, as files below a folder, read and verified by x/mod as its clients do.
type folder struct{ root string }

func (f folder) Height() int { return height }
func (f folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var out [][]byte
	for _, tile := range tiles {
		data, err := os.ReadFile(f.root + "/" + tilePath(tile))
		if err != nil {
			return nil, err
		}
		out = append(out, data)
	}
	return out, nil
}
func (f folder) SaveTiles([]tlog.Tile, [][]byte) {}

func checkVectors(from io.Reader, files string) {
	var in vectors
	check(json.NewDecoder(from).Decode(&in))
	_, w, logKey, witnessKey := keys()
	if in.LogKey != logKey || in.WitnessKey != witnessKey {
		log.Fatal("other keys")
	}
	verifiers := note.VerifierList(must(note.NewVerifier(in.LogKey)), w)
	roots := map[int64]tlog.Hash{}
	for at, made := range in.Trees {
		roots[made.Size] = hashOf(made.Root)
		opened := must(note.Open([]byte(in.Notes[at]), verifiers))
		if len(opened.Sigs) != 2 || opened.Text != checkpoint(made.Size, roots[made.Size]) {
			log.Fatalf("the note of %d is another one", made.Size)
		}
	}
	for _, of := range in.Inclusions {
		check(tlog.CheckRecord(proofOf(of.Path), of.Size, roots[of.Size], of.Index, tlog.RecordHash(entry(of.Index))))
	}
	for _, of := range in.Consistencies {
		check(tlog.CheckTree(proofOf(of.Path), of.To, roots[of.To], of.From, roots[of.From]))
	}
	head := tlog.Tree{N: largest, Hash: roots[largest]}
	reader := tlog.TileHashReader(head, folder{files})
	for _, size := range sizes {
		if root := must(tlog.TreeHash(size, reader)); root != roots[size] {
			log.Fatalf("the tiles give another root of %d", size)
		}
	}
	for _, index := range []int64{0, 255, 256, 65_535, 65_536, largest - 1} {
		check(tlog.CheckRecord(must(tlog.ProveRecord(largest, index, reader)), largest, head.Hash, index, tlog.RecordHash(entry(index))))
	}
	checkProof(in.Proof, verifiers)
	data := must(os.ReadFile(files + "/tile/entries/002.p/88"))
	if !bytes.Equal(data, bundle(512, 600)) {
		log.Fatal("another bundle")
	}
	fmt.Printf("%d trees, %d inclusions, %d consistencies and their notes are as they should be\n",
		len(in.Trees), len(in.Inclusions), len(in.Consistencies))
}

func checkProof(text string, verifiers note.Verifiers) {
	head, signed, found := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	if !found || lines[0] != "c2sp.org/tlog-proof@v1" || lines[2] != fmt.Sprintf("index %d", proofIndex) {
		log.Fatal(errors.New("another proof"))
	}
	opened := must(note.Open([]byte(signed), verifiers))
	root := hashOf(strings.Split(opened.Text, "\n")[2])
	check(tlog.CheckRecord(proofOf(lines[3:]), proofSize, root, proofIndex, tlog.RecordHash(entry(proofIndex))))
}

func main() {
	switch {
	case len(os.Args) == 2 && os.Args[1] == "make":
		makeVectors()
	case len(os.Args) == 3 && os.Args[1] == "check":
		checkVectors(os.Stdin, os.Args[2])
	default:
		log.Fatal("go-vectors make > vectors.json, or go-vectors check FOLDER < vectors.json")
	}
}
