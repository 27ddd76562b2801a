// SPDX-License-Identifier: BSD-3-Clause
// Where the text comes from: compressed files, pipes, standard input, editors of other systems.
#include "canonical_checks.hpp"
#include "frond/base/error.hpp"
#include "frond/matrix/matrix_file.hpp"
#include "temporary_file.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace frond;
using namespace frond::test;

namespace {

const std::string input_folder = FROND_TEST_DATA "/";

std::string text_of_file(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

SparseMatrix<double> real_matrix(const std::string& path) { return std::get<SparseMatrix<double>>(read_matrix(path)); }

std::string refusal_of(const std::string& path) {
    try {
        read_matrix(path);
    } catch (const InvalidMatrix& error) {
        CHECK(error.file() == path);
        return error.what();
    }
    return "accepted";
}

/// A named pipe that a thread writes in small pieces.
class Pipe {
public:
    explicit Pipe(std::string text) : text_(std::move(text)) {
        REQUIRE(mkfifo(name_.path().c_str(), 0600) == 0);
        writer_ = std::thread([this] {
            const int out = open(name_.path().c_str(), O_WRONLY);
            for (std::size_t at = 0; at < text_.size(); at += 100)
                if (write(out, &text_[at], std::min<std::size_t>(100, text_.size() - at)) < 0) break;
            close(out);
        });
    }

    ~Pipe() { writer_.join(); }

    const std::string& path() const { return name_.path(); }

private:
    TemporaryFile name_{".pipe"};
    std::string text_;
    std::thread writer_;
};

/// Standard input is another file while it lives.
class StandardInput {
public:
    explicit StandardInput(const std::string& path) : before_(dup(0)) {
        const int file = open(path.c_str(), O_RDONLY);
        REQUIRE(file >= 0);
        dup2(file, 0);
        close(file);
    }

    ~StandardInput() {
        dup2(before_, 0);
        close(before_);
    }

private:
    int before_;
};

}  // namespace

TEST_CASE("files joined of two compressed parts; compression is told by content, not by name") {
    const SparseMatrix<double> plain = real_matrix(input_folder + "lap_25.mtx");
    for (const char* kind : {"xz", "zst"}) {
        CAPTURE(kind);
        const std::string path = input_folder + "compressed/lap_25.mtx." + kind;
        const bool readable = kind[0] == 'x' ? FROND_WITH_LZMA : FROND_WITH_ZSTD;
        if (!readable) {
            const std::string library = kind[0] == 'x' ? "liblzma" : "libzstd";
            CHECK(refusal_of(path).find("was made without " + library + "; decompress it first") != std::string::npos);
            continue;
        }
        check_equal(real_matrix(path), plain);
        const TemporaryFile renamed(".mtx", text_of_file(path));
        check_equal(real_matrix(renamed.path()), plain);
        const Pipe pipe(text_of_file(path));
        check_equal(real_matrix(pipe.path()), plain);
    }
    const std::string bzip2 = refusal_of(input_folder + "compressed/lap_25.mtx.bz2");
    CHECK(bzip2.find("lap_25.mtx.bz2: compressed with bzip2, which Frond does not read; decompress it "
                     "first, e.g. bzip2 -dc FILE") != std::string::npos);
    // The format before xz: properties, the size of the dictionary, the size of the text or -1.
    const std::string of_unknown_size("\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0", 14);
    const TemporaryFile lzma(".mtx.lzma", of_unknown_size);
    CHECK(refusal_of(lzma.path())
              .find(": compressed with lzma, which Frond does not read; decompress it first, e.g. "
                    "xz -dc --format=lzma FILE | frond solve -") != std::string::npos);
}

TEST_CASE("streams that are cut short or damaged: file, line and reason") {
    for (const std::string name : {"cage5.mtx.gz", "compressed/lap_25.mtx.xz", "compressed/lap_25.mtx.zst"}) {
        if (name.ends_with(".xz") && !FROND_WITH_LZMA) continue;
        if (name.ends_with(".zst") && !FROND_WITH_ZSTD) continue;
        CAPTURE(name);
        const std::string whole = text_of_file(input_folder + name);
        for (const std::size_t kept : {whole.size() - 1, whole.size() / 2, std::size_t{20}}) {
            CAPTURE(kept);
            const TemporaryFile cut(".cut", whole.substr(0, kept));
            const std::string text = refusal_of(cut.path());
            CAPTURE(text);
            CHECK(text.find("stream is damaged or cut short here (unexpected end of file); fetch") !=
                  std::string::npos);
        }
        std::string changed = whole;
        for (std::size_t k = 40; k < 60; ++k) changed[k] = static_cast<char>(~changed[k]);
        const TemporaryFile damaged(".damaged", changed);
        CHECK(refusal_of(damaged.path()) != "accepted");
    }
}

TEST_CASE("gzip members that follow each other, and padding behind them") {
    const std::string text = text_of_file(input_folder + "cage5.mtx.gz");
    const TemporaryFile padded(".gz", text + std::string(512, '\0'));
    check_equal(real_matrix(padded.path()), real_matrix(input_folder + "cage5.mtx.gz"));
    const TemporaryFile twice(".gz", text + text);
    CHECK(refusal_of(twice.path()).find(":") != std::string::npos);  // a second banner among the entries
}

TEST_CASE("a pipe is read once: both formats, right-hand sides") {
    for (const char* name : {"lap_25.mtx", "cage5.mtx.gz", "rutherford_boeing/lfat5.rsa"}) {
        CAPTURE(name);
        const Pipe pipe(text_of_file(input_folder + name));
        check_equal(real_matrix(pipe.path()), real_matrix(input_folder + name));
    }
    const Pipe rhs("%%MatrixMarket matrix array complex general\n2 1\n1 2\n3 4\n");
    const AnyDense<double> b = read_any_dense<double>(rhs.path());
    using Complex = std::complex<double>;
    REQUIRE(std::holds_alternative<DenseMatrix<Complex>>(b));
    CHECK(std::get<DenseMatrix<Complex>>(b).value == std::vector<Complex>{{1, 2}, {3, 4}});
    const Pipe real("%%MatrixMarket matrix array real general\n1 1\n5\n");
    CHECK(std::get<DenseMatrix<double>>(read_any_dense<double>(real.path())).value[0] == 5);
}

TEST_CASE("- is standard input, and messages say so") {
    {
        const StandardInput input(input_folder + "lap_25.mtx");
        check_equal(real_matrix("-"), real_matrix(input_folder + "lap_25.mtx"));
    }
    const TemporaryFile bad(".mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 ?\n");
    const StandardInput input(bad.path());
    try {
        read_matrix("-");
        FAIL("accepted");
    } catch (const InvalidMatrix& error) {
        CHECK(std::string(error.what()).find("standard input:3: ") == 0);
    }
}

TEST_CASE("a byte order mark of UTF-8 is skipped, UTF-16 is named") {
    const std::string text = text_of_file(input_folder + "lap_25.mtx");
    const TemporaryFile marked(".mtx", "\xef\xbb\xbf" + text);
    check_equal(real_matrix(marked.path()), real_matrix(input_folder + "lap_25.mtx"));
    const TemporaryFile boeing(".rb", "\xef\xbb\xbf" + text_of_file(input_folder + "rutherford_boeing/lfat5.rsa"));
    check_equal(real_matrix(boeing.path()), real_matrix(input_folder + "rutherford_boeing/lfat5.rsa"));
    const TemporaryFile wide(".mtx", std::string("\xff\xfe%\0%\0M\0", 8));
    CHECK(refusal_of(wide.path()).find("the text is UTF-16; write it as UTF-8") != std::string::npos);
}

TEST_CASE("a comment may be longer than the block of a read, another line may not") {
    const std::string long_line((std::size_t{1} << 21) + 17, 'x'),
        banner = "%%MatrixMarket matrix coordinate real general\n";
    const TemporaryFile good(".mtx", banner + "  %" + long_line + "\n% short\n2 2 2\n1 1 1.5\n%" +
                                         long_line.substr(0, 1 << 20) + "\n2 2 5\n%" + long_line);
    const SparseMatrix<double> a = real_matrix(good.path());
    CHECK(a.entries() == 2);
    CHECK(a.value == std::vector<double>{1.5, 5});
    const TemporaryFile bad(".mtx", banner + "%" + long_line + "\n2 2 2\n" + long_line + "\n");
    CHECK(refusal_of(bad.path()).find(bad.path() + ":4: a line is longer than 1048576 bytes") == 0);
    const TemporaryFile wrong(".mtx", banner + "%" + long_line + "\n2 2 2\n1 3 1\n");
    CHECK(refusal_of(wrong.path()).find(":4: column index 3") != std::string::npos);
}
