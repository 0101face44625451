require "json"
engine, template, data = ARGV
text = File.read(template)
fields = JSON.parse(File.read(data))
case engine
when "erb"
  require "erb"
  print ERB.new(text).result_with_hash(fields)
when "liquid"
  require "liquid"
  print Liquid::Template.parse(text, error_mode: :strict).render!(fields)
end
