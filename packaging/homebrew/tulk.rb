class Tulk < Formula
  desc "Command-line client for the DeepL API and compatible servers"
  homepage "https://github.com/@REPOSITORY@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/tulk-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 tulk-@VERSION@-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/tulk-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 tulk-@VERSION@-x86_64-apple-darwin.tar.gz@"
    end
  end

  # Static programs, which run with every libc.
  on_linux do
    on_arm do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/tulk-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 tulk-@VERSION@-aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/tulk-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 tulk-@VERSION@-x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "tulk"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/tulk.bash" => "tulk"
    zsh_completion.install "completions/_tulk"
    fish_completion.install "completions/tulk.fish"
    doc.install "docs", "README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "THIRD-PARTY-LICENSES", "tulk.cdx.json"
  end

  test do
    assert_equal "tulk #{version}\n", shell_output("#{bin}/tulk --version")
    assert_equal "Héllŏ\n", shell_output("#{bin}/tulk --sandbox translate --from en --to de Hello")
  end
end
