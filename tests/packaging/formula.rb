# A small substitute for Homebrew: ruby formula.rb FORMULA PREFIX, in the directory of an unpacked release. Prints the address and
# checksum for each system, runs `install` with PREFIX as the keg, then the test of the formula.
require "fileutils"
require "pathname"

class Pathname
  def install(*files)
    mkpath
    files.flatten.each do |file|
      pairs = file.is_a?(Hash) ? file : { file => File.basename(file) }
      pairs.each { |from, to| FileUtils.mv(from, self + to) }
    end
  end
end

class Formula
  SYSTEM = {}
  PREFIX = Pathname(ARGV.fetch(1))

  class << self
    %i[desc homepage license url sha256].each do |field|
      define_method(field) { |value = nil| value ? instance_variable_set("@#{field}", value) : instance_variable_get("@#{field}") }
    end
    %i[macos linux arm intel].each do |name|
      define_method("on_#{name}") { |&block| block.call if SYSTEM.value?(name) }
    end
    def test(&block) = define_method(:run_test, &block)
  end

  { bin: "bin", man1: "share/man/man1", doc: "share/doc/tulk", bash_completion: "etc/bash_completion.d",
    zsh_completion: "share/zsh/site-functions", fish_completion: "share/fish/vendor_completions.d" }
    .each { |name, path| define_method(name) { PREFIX + path } }
  def version = self.class.url[%r{/download/v([^/]+)/}, 1]
  def shell_output(command) = `#{command}`
  def assert_equal(expected, actual) = expected == actual || raise("expected #{expected.inspect}, got #{actual.inspect}")
end

%i[macos linux].product(%i[arm intel]).each do |os, processor|
  Formula::SYSTEM.update(os: os, processor: processor)
  load ARGV[0]
  puts "#{os} #{processor} #{Tulk.url} #{Tulk.sha256}"
end
Tulk.new.install
Tulk.new.run_test
